// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport

/// Runs many graphs in a child process, which may hang or crash, and shrinks failing graphs.
public struct CommandLineRun {
  private var seed = UInt64.random(in: 0..<1_000_000_000)
  private var count = 10_000
  private var profile = GraphProfile.all[1]
  private var patience = 20.0
  private var rounds = 1
  private var failures = 1
  private var shrinks = true
  /// The kinds of problems that count.
  private var kinds = Set(GraphProblem.Kind.allCases)
  private var graph: GraphDescription?
  private var progress: String?
  private let arguments: [String]

  public init(_ arguments: [String]) {
    self.arguments = arguments
  }

  private static let usage = """
    RandomGraphRun [--seed N] [--count N] [--profile NAME] [--with FEATURE,FEATURE]
                   [--without FEATURE,FEATURE] [--size N]
                   [--patience SECONDS] [--failures N] [--only KIND,KIND] [--no-shrink]
                   [--print]
    RandomGraphRun --graph TEXT|FILE [--rounds N] [--patience SECONDS] [--shrink]
      profiles: \(GraphProfile.all.map(\.name).joined(separator: " "))
      kinds: \(GraphProblem.Kind.allCases.map(\.rawValue).joined(separator: " "))
      features: \(GraphProfile.Feature.allCases.map(\.rawValue).joined(separator: " "))
    A graph's seed is the base seed and its number: `--seed N --count 1` runs one again.
    """

  /// - Returns: the exit status: 0 without a problem, 3 with one.
  public func run() -> Int32 {
    var run = self
    do {
      let mode = try run.read()
      switch mode {
      case .supervise: return run.supervise()
      case .work: return run.work()
      case .replay: return run.replay()
      case .shrink: return run.shrinkGiven()
      case .print:
        print(run.graphToRun(0))
        return 0
      }
    } catch {
      print(error)
      print(Self.usage)
      return 2
    }
  }

  // MARK: - Arguments

  private enum Mode {
    case supervise, work, replay, shrink, print
  }

  private struct ArgumentError: Error, CustomStringConvertible {
    let description: String
  }

  private mutating func read() throws -> Mode {
    var mode = Mode.supervise
    var rest = arguments[...]
    func value<Value>(_ convert: (String) throws -> Value?) throws -> Value {
      let name = rest.removeFirst()
      guard let text = rest.first, let value = try convert(text) else {
        throw ArgumentError(description: "\(name) needs another value")
      }
      return value
    }
    while let argument = rest.first {
      switch argument {
      case "--seed": seed = try value { UInt64($0) }
      case "--count": count = try value { Int($0) }
      case "--patience": patience = try value { Double($0) }
      case "--rounds": rounds = try value { Int($0) }
      case "--failures": failures = try value { Int($0) }
      case "--size": profile.size = try value { Int($0) }
      case "--profile":
        profile = try value { name in GraphProfile.all.first { $0.name == name } }
      case "--with":
        profile.features.formUnion(try value { text in Self.list(text) })
      case "--without":
        profile.features.subtract(try value { text in Self.list(text) })
      case "--only": kinds = Set(try value { text in Self.list(text) })
      case "--graph":
        graph = try value { text in
          try GraphDescription(
            text: text.contains("\n") ? text : String(contentsOfFile: text, encoding: .utf8))
        }
        mode = .replay
      case "--progress":
        progress = try value { $0 }
        mode = .work
      case "--no-shrink": shrinks = false
      case "--shrink": mode = .shrink
      case "--print": mode = .print
      default: throw ArgumentError(description: "unknown: \(argument)")
      }
      rest.removeFirst()
    }
    return mode
  }

  /// The values named in a list; `nil` if one is not a name.
  private static func list<Value: RawRepresentable>(_ text: String) -> [Value]?
  where Value.RawValue == String {
    let values = text.split(separator: ",").map { Value(rawValue: String($0)) }
    return values.contains { $0 == nil } ? nil : values.compactMap { $0 }
  }

  private func graphToRun(_ index: Int) -> GraphDescription {
    GraphGenerator.graph(seed: seed &+ UInt64(index), profile)
  }

  // MARK: - Working

  /// The exit status of a worker that cannot go on, for a reason that does not count.
  static let otherFailure: Int32 = 4

  /// Runs the graphs, and keeps the number of the current one in a file.
  private func work() -> Int32 {
    guard let progress, let file = FileHandle(forUpdatingAtPath: progress) else { return 2 }
    listenToDrops()
    var statistics = GraphStatistics()
    for index in 0..<count {
      var number = UInt64(index)
      let data = unsafe Data(bytes: &number, count: 8)
      file.seek(toFileOffset: 0)
      file.write(data)
      endIfStuck()
      let problems = RandomGraph.problems(
        of: graphToRun(index), patience: patience, &statistics)
      if report(problems.filter { kinds.contains($0.kind) }) { return 3 }
      // Its threads never end: the next graph needs a new process.
      if problems.contains(where: { $0.kind == .hang }) { return Self.otherFailure }
    }
    print(statistics)
    return 0
  }

  private func replay() -> Int32 {
    guard let graph else { return 2 }
    listenToDrops()
    for round in 1...rounds {
      endIfStuck()
      let problems = RandomGraph.problems(of: graph, patience: patience)
      if report(problems.filter { kinds.contains($0.kind) }) {
        print("in round \(round)")
        return 3
      }
      if problems.contains(where: { $0.kind == .hang }) { return Self.otherFailure }
    }
    return 0
  }

  /// Ends the process if this thread hangs itself: the deinits of products run here when the record
  /// is let go of, past the watch over the callers.
  private func endIfStuck() { alarm(UInt32(12 * patience) + 60) }

  /// Deinits drop containers that are not closed. The handler uses a container, as it may.
  private func listenToDrops() {
    let container = Container()
    Container.onUndisposed = { _ in _ = try? container.resolve(Aide.self) }
  }

  private func report(_ problems: [GraphProblem]) -> Bool {
    for problem in problems.prefix(8) { print(problem) }
    if problems.count > 8 { print("and \(problems.count - 8) more") }
    return !problems.isEmpty
  }

  // MARK: - Supervising

  private func supervise() -> Int32 {
    print("seed \(seed), \(count) graphs, profile \(profile.name)")
    let began = Date()
    var (first, found) = (0, 0)
    while first < count {
      let (failing, child) = runWorker(from: first)
      let output = child.describe()
      guard let index = failing else {
        print(output, terminator: "")
        break
      }
      first = index + 1
      let isOtherCrash = GraphProblem.Kind(first: output) == .crash && !kinds.contains(.crash)
      if child.status == Self.otherFailure || isOtherCrash { continue }
      found += 1
      print("\nFAILED: graph \(index), seed \(seed &+ UInt64(index)), profile \(profile.name)")
      print(output)
      // A sanitizer's report names the code, and does not come again for each graph.
      if !output.contains("Sanitizer") {
        let graph = graphToRun(index)
        print(graph)
        if shrinks { shrink(graph, GraphProblem.Kind(first: output)) }
      }
      flush()
      if found >= failures { break }
    }
    let seconds = Date().timeIntervalSince(began)
    print(found == 0 ? "no failures" : "\(found) failed", "in \(Int(seconds)) s")
    return found == 0 ? 0 : 3
  }

  private func flush() { try? FileHandle.standardOutput.synchronize() }

  /// - Returns: the number of the graph that failed, if any.
  private func runWorker(from first: Int) -> (index: Int?, child: ChildRun) {
    let path = NSTemporaryDirectory() + "random-graphs-\(UUID().uuidString)"
    _ = FileManager.default.createFile(atPath: path, contents: Data(count: 8))
    defer { try? FileManager.default.removeItem(atPath: path) }
    var rest = arguments
    for name in ["--seed", "--count"] {
      if let index = rest.firstIndex(of: name) { rest.removeSubrange(index...(index + 1)) }
    }
    let child = ChildRun(
      .this,
      rest + [
        "--seed", "\(seed &+ UInt64(first))", "--count", "\(count - first)", "--progress", path,
      ], limit: nil, showsCrash: true)
    if child.status == 0 { return (nil, child) }
    let data = FileManager.default.contents(atPath: path) ?? Data(count: 8)
    let number = data.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
    return (first + number, child)
  }

  // MARK: - Shrinking

  private func shrinkGiven() -> Int32 {
    let graph = graph ?? graphToRun(0)
    shrink(graph, kinds.count == 1 ? kinds.first : nil)
    return 3
  }

  /// Prints the smallest graph that fails in the same way.
  private func shrink(_ graph: GraphDescription, _ kind: GraphProblem.Kind?) {
    var reproduction = GraphReproduction(of: graph, patience: patience)
    guard reproduction.find(kind: kind) else {
      print("\nnot seen again in \(reproduction.rounds) rounds")
      return
    }
    var shrinker = GraphShrinker { reproduction.fails($0) }
    let smallest = shrinker.shrink(graph)
    print("\nthe smallest that fails as well (\(reproduction.rounds) rounds each):")
    print(smallest)
    print(reproduction.lastOutput)
  }
}
