// SPDX-License-Identifier: MIT

import BenchmarkSupport

/// A row of the tables: the operation asked of every container.
enum Operation: String, TableLabel {
  case singleton
  case referenceCount = "  its retain + release"
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
  /// How many times its counterpart's time Corinth may take: a dictionary's behind a mutex, or
  /// direct code's where there is none. A third above the greatest ratio that was measured.
  var limit: Double? {
    switch self {
    case .singleton: 0.4
    case .storedName: 1.8
    case .literalName: 2
    case .miss: 0.7
    case .valueSingleton: 0.2
    case .transient, .combined, .complex: 0.9
    case .argument, .weak: 2
    case .register: 2.8
    case .override: 19
    case .provider: 1.2
    case .withResolved: 4.8
    case .referenceCount: nil
    }
  }
}

/// A column of the tables: the code that performs the operations.
enum Column: String, TableColumn {
  case corinth = "Corinth"
  case direct
  case mutex = "Mutex"
  case named
  case readWriteLock = "rwlock"
  case actor
}

typealias Workloads = [Operation: Workload]
