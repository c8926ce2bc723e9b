// SPDX-License-Identifier: MIT

/// One operation of one column by a number of threads: a figure of the tables.
struct Cell<Operation: TableLabel, Column: TableColumn>: Sendable {
  let operation: Operation
  let column: Column
  let threads: Int
  private let workload: Workload
  /// How often each thread repeats the operation in a round.
  private var count = 1
  /// Nanoseconds of a thread for one operation, a sample for every round.
  private(set) var samples: [Double] = []

  init(_ operation: Operation, _ column: Column, threads: Int, _ workload: Workload) {
    self.operation = operation
    self.column = column
    self.threads = threads
    self.workload = workload
  }

  /// Finds the count with which a round takes about `nanoseconds`.
  mutating func calibrate(to nanoseconds: Double) async throws {
    while true {
      // The least of three, and of six before the count is taken: threads that had to wait for a
      // core would make the count far too small, and each round measure the start of a thread.
      var elapsed = try await leastOfThree()
      if elapsed >= nanoseconds / 2 { elapsed = min(elapsed, try await leastOfThree()) }
      if elapsed >= nanoseconds / 2 {
        count = max(1, Int(Double(count) * nanoseconds / elapsed))
        return
      }
      count *= elapsed < nanoseconds / 16 ? 8 : 2
    }
  }

  private func leastOfThree() async throws -> Double {
    Double(try await min(measure(), measure(), measure()))
  }

  mutating func sample() async throws {
    samples.append(Double(try await measure()) / Double(count))
  }

  private func measure() async throws -> UInt64 {
    switch workload {
    case .loop(let loop): run(loop)
    case .prepared(let prepare): run(try prepare(threads, count))
    case .tasks(let loop): try await run(loop)
    }
  }

  private func run(_ loop: @escaping Loop) -> UInt64 {
    onThreads(threads) { [count] index in
      do {
        try loop(index, count)
      } catch {
        fail("A benchmark's operation failed: \(error)")
      }
    }
  }

  private func run(_ loop: @escaping AsyncLoop) async throws -> UInt64 {
    try await inTasks(threads) { [count] index in try await loop(index, count) }
  }
}
