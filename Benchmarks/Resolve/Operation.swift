// SPDX-License-Identifier: MIT

import BenchmarkSupport

/// A row of the tables: what is asked of each container.
enum Operation: String, TableLabel {
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

extension Operation {
  /// What it may take.
  var budgets: [RowBudget<Column>] {
    switch self {
    case .singleton: [.times(1.05, .direct)]
    case .transient: [.times(1.25, .direct)]
    case .combined: [.times(1.4, .direct)]
    case .complex: [.times(1.5, .direct)]
    case .register: [.nanoseconds(300)]
    case .override: [.nanoseconds(250)]
    default: []
    }
  }
}

/// A column of the tables: who does it.
enum Column: String, TableColumn {
  case corinth = "Corinth"
  case direct
  case mutex = "Mutex"
  case readWriteLock = "rwlock"
  case actor
}

typealias Workloads = [Operation: Workload]
