// SPDX-License-Identifier: MIT

import BenchmarkSupport

/// A row of the tables: the operation asked of every container.
enum Operation: String, TableLabel {
  case request = "request: inputs, handler of 3, close"
  case observedRequest = "the same, observed"
  case untimedRequest = "the same, observed without times"
  case requestByHand = "the same, built by the caller"
  case singleton = "singleton, synchronous"
  case taskValue = "value of a stored task"
  case asyncSingleton = "resolveAsync, singleton"
  case asyncStoredName = "resolveAsync, stored name"
  case asyncTransient = "resolveAsync, transient"
  case asyncFactory = "resolveAsync, async factory"
  case graph = "graph of 6"
  case trackedTransient = "transient beside a graph"
  case child = "child: make, resolve"
  case childRegistering = "child: make, register, resolve"
  case registeringThousand = "1,000 registered and resolved"
  case requestScope = "scope: make, resolve, close"
  case scopeOfTwo = "scope: make, resolve 2, close"
  case disposingScope = "scope: make, resolve, dispose"
  case scopedAndInputs = "scope with 2 inputs"
  case handler = "handler of 3 in a fresh scope"
  case warmHandler = "handler of 3 in a warm scope"
  case withScopeSync = "withScope, synchronous resolve"
  case withScope = "withScope, asynchronous"
  case scopedHit = "scoped, already there"
  case cached = "cached, not expired"
  case argumentSingleton = "singleton of an argument"
  case injected = "injected property"
  case decorated = "decorated singleton"
  case ifRegistered = "resolveIfRegistered, singleton"
  case ifRegisteredMiss = "the same, a miss"
  case wired = "using: of 6 singletons"
  case wiredByHand = "6 singletons by hand"
  case resolveAll = "resolveAll of 10"
  case fork = "fork of 1,000, one override"

  /// Figures that a reader compares are measured together.
  static let groups: [[Operation]] = {
    let compared: [Operation] = [.singleton, .taskValue, .asyncSingleton]
    let requests: [Operation] = [.request, .observedRequest, .untimedRequest, .requestByHand]
    let together = [compared, requests]
    return together + allCases.filter { !(compared + requests).contains($0) }.map { [$0] }
  }()
}

extension Operation {
  var unobserved: Operation? {
    self == .observedRequest || self == .untimedRequest ? .request : nil
  }
}

/// A column of the tables: the code that performs the operations.
enum Column: String, TableColumn {
  case corinth = "Corinth"
  case direct
  case mutex = "Mutex"
}

typealias Workloads = [Operation: Workload]
