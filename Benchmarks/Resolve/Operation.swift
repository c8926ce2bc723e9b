// SPDX-License-Identifier: MIT

/// A row of the tables: what is asked of each container.
enum Operation: String, CaseIterable, Codable, Sendable {
  case singleton
  case referenceCount = "  its retain + release alone"
  case storedName = "singleton, stored name"
  case literalName = "singleton, literal name"
  case valueSingleton = "singleton, a struct"
  case provider = "provider call, a struct"
  case withResolved
  case transient
  case combined = "combined, 2 dependencies"
  case complex = "complex, 6 dependencies"
  case argument = "transient, 1 argument"
  case weak
  case miss
  case register
  case override
}

/// A column of the tables: who does it.
enum Column: String, CaseIterable, Codable, Sendable {
  case corinth = "Corinth"
  case direct
  case mutex = "Mutex"
  case readWriteLock = "rwlock"
  case actor
}

/// Repeats an operation `count` times on the calling thread.
typealias Loop = @Sendable (_ thread: Int, _ count: Int) throws -> Void

/// Repeats an operation `count` times in the calling task.
typealias AsyncLoop = @Sendable (_ task: Int, _ count: Int) async throws -> Void

/// How one column performs one operation.
enum Workload: Sendable {
  /// The same containers in every round.
  case loop(Loop)
  /// Something fresh in every round, made outside of the measured time.
  case prepared(@Sendable (_ threads: Int, _ count: Int) throws -> Loop)
  /// In tasks instead of threads.
  case tasks(AsyncLoop)
}

typealias Workloads = [Operation: Workload]
