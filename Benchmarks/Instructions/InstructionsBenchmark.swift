// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Synchronization

/// Counts the instructions of every operation, and compares the counts with the budgets.
@main
enum InstructionsBenchmark {
  static func main() throws {
    let options = Options(
      summary: "Counts the instructions of the hot paths, by valgrind.",
      [
        .init("--baseline", "FILE", help: "say what has grown since the report in FILE"),
        .init(
          "--strict",
          help: "exit with status 1 when a budget is missed, or something has grown"),
        .init(
          DebugCosts.option,
          help: "count the compatibility modules' commonest calls, in a debug build"),
        .init(InstructionCounter.operationOption, "NAME", help: nil),
        .init(InstructionCounter.countOption, "N", help: nil),
        .init(TracedRun.mapsOption, "FILE", help: nil),
        .init(TracedRun.listOption, help: nil),
      ], hasQuickRun: false)
    if options.contains(DebugCosts.option) { return try DebugCosts.print() }
    let isCountedRun = options[InstructionCounter.operationOption] != nil
    if !isCountedRun { refuseDebugBuild() }
    if options.contains(TracedRun.listOption) {
      for operation in TracedRun.operations { print(operation.rawValue) }
      return
    }
    if let names = options[InstructionCounter.operationOption] {
      let count = options.number(InstructionCounter.countOption, default: 1)
      if let path = options[TracedRun.mapsOption] {
        let operations = names.split(separator: ";").map { Self.operation(named: String($0)) }
        try TracedRun.run(operations, count: count, mapsAt: path)
        return
      }
      let operation = Self.operation(named: names)
      try InstructionCounter.countedRun(operation.makeLoop(), count)
      return
    }

    let baseline = options["--baseline"].map { Report<[Measurement]>.read(from: $0).results }
    print(Machine.current.text)
    let measurements: [Measurement]
    do {
      measurements = try measure()
    } catch {
      fail("\(error)")
    }
    print(table(measurements))
    print(legend)
    let growths = measurements.compactMap { Growth($0, since: baseline ?? []) }
    for growth in growths { print("grown: \(growth.text)") }
    if let path = options.json {
      Report(benchmark: "instructions", results: measurements).write(to: path)
    }
    let isOver = measurements.contains { $0.verdict == .missed }
    if options.contains("--strict"), isOver || !growths.isEmpty {
      fail("A budget is missed, or an operation takes more instructions than it did.")
    }
  }

  private static func operation(named name: String) -> Operation {
    guard let operation = Operation(rawValue: name) else { fail("No operation '\(name)'.") }
    return operation
  }

  /// Counts as many operations at a time as there are cores; the figures do not depend on it.
  private static func measure() throws -> [Measurement] {
    let counter = try InstructionCounter()
    defer { counter.cleanUp() }
    let progress = ProgressLine()
    let waiting = Mutex(Operation.allCases[...])
    let counts = Mutex<[Operation: Result<Double, any Error>]>([:])
    onThreads(Machine.current.cores) { _ in
      while let operation = waiting.withLock({ $0.popFirst() }) {
        progress.show("counting: \(operation.rawValue)")
        let count = Result { try counter.count(operation) }
        counts.withLock { $0[operation] = count }
      }
    }
    progress.clear()
    let instructions = try counts.withLock { $0 }.mapValues { try $0.get() }
    return Operation.allCases.map { Measurement($0, instructions: instructions) }
  }

  private static let legend = """

    ratio: to hand-written code, of the request to the dictionary. Mutex: the leanest dictionary by
    type behind Synchronization.Mutex, without names, disposal, exactly one singleton, or a search for
    cycles. Where Corinth registers names, the identity of an object stands for a type.
    """

  private static func table(_ measurements: [Measurement]) -> String {
    var table = TextTable(
      ["operation", "instructions", "Mutex", "to Mutex", "ratio", "limit", "stretch", "budget"])
    for measurement in measurements where !Operation.ofMutex.contains(measurement.operation) {
      table.add(measurement.cells)
    }
    return table.text
  }
}
