// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

/// Registers many keys in one container, to see that the time grows in proportion to their number,
/// and finds every key again.
struct RegistrationRun {
  struct Results: Codable, Sendable {
    struct Step: Codable, Sendable {
      let registrations: Int
      let seconds: Double
    }

    let steps: [Step]
    let secondsToFindAll: Double
    let found: Int
    let memoryAtEnd: Int?
  }

  let count: Int

  func run(failures: Failures) -> Results {
    let progress = ProgressLine()
    defer { progress.clear() }
    progress.show("making \(count) names")
    let names = (0..<count).map { Name("key-\($0)") }
    let container = Container()
    var steps: [Results.Step] = []
    var registered = 0
    let begin = monotonicNanoseconds()
    for goal in [count / 4, count / 2, count] {
      while registered < goal {
        let number = registered
        do {
          try container.register(Int.self, name: names[number]) { _ in number }
        } catch {
          failures.record("\(error)")
        }
        registered += 1
      }
      let nanoseconds = monotonicNanoseconds() - begin
      steps.append(Results.Step(registrations: goal, seconds: Double(nanoseconds) / 1e9))
      progress.show("\(goal) of \(count) registered")
    }
    let beginOfSearch = monotonicNanoseconds()
    let found = find(names, in: container, failures: failures)
    return Results(
      steps: steps,
      secondsToFindAll: Double(monotonicNanoseconds() - beginOfSearch) / 1e9,
      found: found, memoryAtEnd: residentMemory())
  }

  private func find(_ names: [Name], in container: Container, failures: Failures) -> Int {
    var found = 0
    for (number, name) in names.enumerated() {
      do {
        if try container.resolve(Int.self, name: name) == number {
          found += 1
        } else {
          failures.record("\(name) resolved to another registration.")
        }
      } catch {
        failures.record("\(error)")
      }
    }
    return found
  }
}

extension RegistrationRun.Results {
  var text: String {
    var table = TextTable(["registrations", "seconds", "ns each"])
    for step in steps {
      table.add([
        "\(step.registrations)", String(step.seconds, decimals: 3),
        String(step.seconds * 1e9 / Double(max(1, step.registrations)), decimals: 0),
      ])
    }
    let all = steps.last?.registrations ?? 0
    let memory = memoryAtEnd.map { "; \($0 >> 20) MiB resident" } ?? ""
    return table.text + "\n\(found) of \(all) found again, in "
      + "\(String(secondsToFindAll, decimals: 3)) s\(memory)"
  }
}
