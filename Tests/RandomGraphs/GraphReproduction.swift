// SPDX-License-Identifier: MIT

import Foundation

/// Runs one graph again and again in child processes.
struct GraphReproduction {
  private let graph: GraphDescription
  private var kind: GraphProblem.Kind?
  /// How often a graph is run before it counts as one that does not fail.
  private(set) var rounds = 3_000
  private(set) var lastOutput = ""

  init(of graph: GraphDescription) {
    self.graph = graph
  }

  /// Looks whether the graph fails again, and how often.
  mutating func find(kind: GraphProblem.Kind?) -> Bool {
    self.kind = kind
    guard fails(graph) else { return false }
    if self.kind == nil { self.kind = GraphProblem.Kind(first: lastOutput) }
    let round = lastOutput.split(separator: "in round ").last.flatMap {
      Int($0.prefix { $0.isNumber })
    }
    if let round { rounds = min(rounds, 20 * round + 20) }
    return true
  }

  mutating func fails(_ candidate: GraphDescription) -> Bool {
    let child = ChildRun(
      ["--graph", "\(candidate)\n", "--rounds", "\(rounds)", "--patience", "2"], limit: 30)
    guard child.status != 0 else { return false }
    let output = child.describe()
    guard kind == nil || GraphProblem.Kind(first: output) == kind else { return false }
    lastOutput = output
    return true
  }
}

extension GraphProblem.Kind {
  /// The kind of the first problem that a child has printed.
  init?(first output: String) {
    let word = output.prefix { $0.isLetter }
    self.init(rawValue: String(word))
  }
}

/// This executable once more, with other arguments.
struct ChildRun {
  let status: Int32
  private let signal: Int32?
  private let timedOut: Bool
  private let output: String

  /// - Parameter limit: after how many seconds it is killed.
  /// - Parameter showsCrash: whether a crash is printed with its stack, which takes a second.
  init(_ arguments: [String], limit: TimeInterval?, showsCrash: Bool = false) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    // A crash is reported by its signal; the runtime's own report would take a second of each.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"]) { _, new in new }
    let pipe = Pipe()
    process.standardOutput = pipe
    if showsCrash { process.standardError = pipe }
    var timer: (any DispatchSourceTimer)?
    do { try process.run() } catch { fatalError("\(error)") }
    if let limit {
      let source = DispatchSource.makeTimerSource()
      let id = process.processIdentifier
      source.schedule(deadline: .now() + limit)
      source.setEventHandler { kill(id, SIGKILL) }
      source.resume()
      timer = source
    }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    timer?.cancel()
    output = String(decoding: data, as: UTF8.self)
    let isSignal = process.terminationReason == .uncaughtSignal
    status = isSignal ? 128 + process.terminationStatus : process.terminationStatus
    signal = isSignal ? process.terminationStatus : nil
    timedOut = signal == SIGKILL
  }

  /// What it printed, or how it ended.
  func describe() -> String {
    if timedOut { return "hang: the process was killed" }
    if let signal { return "crash: signal \(signal)\n" + output }
    return output
  }
}
