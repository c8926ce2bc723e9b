// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Foundation
import Requests
import Synchronization

/// How long requests take while another thread overrides a registration at an even rate.
struct RequestLatency: Codable, Sendable {
  enum Column: String, CaseIterable, Codable, Sendable {
    case corinth = "Corinth"
    case mutex = "Mutex"
    case direct

    func makeRequests() throws -> Requests {
      switch self {
      case .corinth: try .corinth()
      case .mutex: try .mutex()
      case .direct: .direct()
      }
    }
  }

  let column: Column
  let p50: UInt64
  let p99: UInt64
  let p999: UInt64
  let overridesPerSecond: Double

  private static let overridesPerSecond = 1_000.0
  private static let turnSeconds = 0.2

  /// The columns take turns: other work of the machine hits all columns alike.
  static func measure(seconds: Double) throws -> [RequestLatency] {
    let columns = try Column.allCases.map { (column: $0, requests: try $0.makeRequests()) }
    var latencies = columns.map { _ in LatencyHistogram() }
    var overrides = columns.map { _ in 0 }
    let turns = max(1, Int(seconds / turnSeconds) / columns.count)
    for _ in 0..<turns {
      for index in columns.indices {
        let turn = Turn(columns[index].requests)
        turn.run()
        latencies[index].add(turn.latencies)
        overrides[index] += turn.overrides
      }
    }
    return columns.indices.map { index in
      RequestLatency(
        column: columns[index].column, p50: latencies[index].percentile(0.5),
        p99: latencies[index].percentile(0.99), p999: latencies[index].percentile(0.999),
        overridesPerSecond: Double(overrides[index]) / (Double(turns) * turnSeconds))
    }
  }

  /// One thread of requests, and one overriding thread.
  private final class Turn: Sendable {
    private let requests: Requests
    private let isOver = Atomic(false)
    private let outcome = Mutex((latencies: LatencyHistogram(), overrides: 0))

    init(_ requests: Requests) {
      self.requests = requests
    }

    var latencies: LatencyHistogram { outcome.withLock { $0.latencies } }
    var overrides: Int { outcome.withLock { $0.overrides } }

    func run() {
      onThreads(2) { [self] index in
        do {
          if index == 0 { try serve() } else { try override() }
        } catch {
          fail("A request failed: \(error)")
        }
      }
    }

    private func serve() throws {
      var latencies = LatencyHistogram()
      var number = 0
      var begin = monotonicNanoseconds()
      while !isOver.load(ordering: .relaxed) {
        try requests.serve(number)
        number += 1
        let end = monotonicNanoseconds()
        latencies.record(end - begin)
        begin = end
      }
      outcome.withLock { $0.latencies = latencies }
    }

    private func override() throws {
      let begin = monotonicNanoseconds()
      var overrides = 0
      while true {
        let elapsed = Double(monotonicNanoseconds() - begin) / 1e9
        if elapsed >= turnSeconds { break }
        let due = Double(overrides + 1) / overridesPerSecond
        if elapsed < due {
          Thread.sleep(forTimeInterval: due - elapsed)
        } else {
          try requests.override()
          overrides += 1
        }
      }
      isOver.store(true, ordering: .relaxed)
      outcome.withLock { $0.overrides = overrides }
    }
  }
}
