// SPDX-License-Identifier: MIT

import Baselines
import BenchmarkSupport
import Requests

extension Operation {
  /// The operation as a dictionary by type behind a mutex performs it, where such a dictionary can.
  var mutex: Operation? {
    switch self {
    case .request: .mutexRequest
    case .singleton: .mutexSingleton
    case .transient: .mutexTransient
    case .combined: .mutexCombined
    case .complex: .mutexComplex
    case .scopedHit: .mutexScopedHit
    case .requestScope: .mutexScope
    case .handler: .mutexHandler
    case .warmHandler: .mutexWarmHandler
    case .scopedAndInputs: .mutexInputs
    case .registering: .mutexRegistering
    case .overriding: .mutexOverriding
    case .childRegistering: .mutexChild
    case .registeringThousand: .mutexThousand
    case .asyncTransient: .mutexAsyncTransient
    case .asyncFactory: .mutexAsyncFactory
    case .asyncScopeSync: .mutexAsyncScopeSync
    case .asyncScope: .mutexAsyncScope
    case .ifRegistered: .mutexIfRegistered
    case .ifRegisteredMiss: .mutexIfRegisteredMiss
    default: nil
    }
  }

  /// The operations that only stand beside others, in a column of the table.
  static let ofMutex = Set(allCases.compactMap(\.mutex))

  /// The loop of an operation on a dictionary by type behind a mutex.
  func makeMutexLoop() throws -> Loop {
    let container = MutexDictionary()
    container.register(singleton: Service.self) { _ in Service() }
    blackHole(try container.resolve(Service.self))
    switch self {
    case .mutexRequest:
      let loop = try Requests.mutex().loop
      return { count in try loop(0, count) }
    case .mutexSingleton:
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Service.self)) }
      }
    case .mutexIfRegistered:
      return { count in
        for _ in 0..<count { blackHole(try container.resolveIfRegistered(Service.self)) }
      }
    case .mutexIfRegisteredMiss:
      return { count in
        for _ in 0..<count { blackHole(try container.resolveIfRegistered(Unregistered.self)) }
      }
    case .mutexTransient:
      container.register(Leaf.self) { _ in Leaf(state: 1) }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Leaf.self)) }
      }
    case .mutexCombined:
      container.registerComplex()
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Combined.self)) }
      }
    case .mutexComplex:
      container.registerComplex()
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Complex.self)) }
      }
    case .mutexAsyncTransient, .mutexAsyncFactory, .mutexAsyncScopeSync, .mutexAsyncScope:
      return makeMutexTaskLoop(container)
    case .mutexRegistering, .mutexOverriding, .mutexChild, .mutexThousand:
      return makeMutexRegisteringLoop(container)
    default:
      return try makeMutexScopeLoop(container)
    }
  }

  private func makeMutexScopeLoop(_ container: MutexDictionary) throws -> Loop {
    container.register(scoped: Leaf.self) { _ in Leaf(state: 1) }
    container.register(scoped: Part.self) { Part(try $0.resolve(Leaf.self)) }
    container.register(Handler.self) {
      Handler(try $0.resolve(Part.self), try $0.resolve(Leaf.self), try $0.resolve(Service.self))
    }
    switch self {
    case .mutexScopedHit:
      let scope = MutexDictionary(parent: container, capacity: 1)
      return { count in
        for _ in 0..<count { blackHole(try scope.resolve(Leaf.self)) }
      }
    case .mutexScope:
      return { count in
        for _ in 0..<count {
          let scope = MutexDictionary(parent: container, capacity: 1)
          blackHole(try scope.resolve(Leaf.self))
        }
      }
    case .mutexHandler:
      return { count in
        for _ in 0..<count {
          let scope = MutexDictionary(parent: container, capacity: 2)
          blackHole(try scope.resolve(Handler.self))
        }
      }
    case .mutexWarmHandler:
      let scope = MutexDictionary(parent: container, capacity: 2)
      return { count in
        for _ in 0..<count { blackHole(try scope.resolve(Handler.self)) }
      }
    default:
      return { count in
        for number in 0..<count {
          let scope = MutexDictionary(parent: container, capacity: 3)
          scope.provide(number)
          scope.provide(Settings(width: 80, height: 24))
          blackHole(try scope.resolve(Leaf.self))
        }
      }
    }
  }

  private func makeMutexTaskLoop(_ container: MutexDictionary) -> Loop {
    container.register(Left.self) { _ in Left() }
    container.register(async: Right.self) { _ in Right() }
    container.register(scoped: Leaf.self) { _ in Leaf(state: 1) }
    switch self {
    case .mutexAsyncTransient:
      return inTask { count in
        for _ in 0..<count { blackHole(try await container.resolveAsync(Left.self)) }
      }
    case .mutexAsyncFactory:
      return inTask { count in
        for _ in 0..<count { blackHole(try await container.resolveAsync(Right.self)) }
      }
    case .mutexAsyncScopeSync:
      return inTask { count in
        for _ in 0..<count {
          let scope = MutexDictionary(parent: container, capacity: 1)
          blackHole(try scope.resolve(Leaf.self))
        }
      }
    default:
      return inTask { count in
        for _ in 0..<count {
          let scope = MutexDictionary(parent: container, capacity: 1)
          blackHole(try await scope.resolveAsync(Leaf.self))
        }
      }
    }
  }

  private func makeMutexRegisteringLoop(_ container: MutexDictionary) -> Loop {
    // Stand for as many types.
    let keys = (0..<10_000).map { _ in Left() }
    switch self {
    case .mutexRegistering:
      return { count in
        for key in keys.prefix(count) {
          container.register(Leaf.self, for: ObjectIdentifier(key)) { _ in Leaf(state: 1) }
        }
      }
    case .mutexOverriding:
      for key in keys.prefix(1_000) {
        container.register(Leaf.self, for: ObjectIdentifier(key)) { _ in Leaf(state: 1) }
      }
      return { count in
        for _ in 0..<count {
          container.register(Leaf.self, for: ObjectIdentifier(keys[7])) { _ in Leaf(state: 2) }
        }
      }
    case .mutexChild:
      return { count in
        for _ in 0..<count {
          let child = MutexDictionary(parent: container)
          child.register(Leaf.self) { _ in Leaf(state: 1) }
          blackHole(try child.resolve(Leaf.self))
        }
      }
    default:
      let keys = keys.prefix(1_000)
      return { count in
        for _ in 0..<count / keys.count {
          let container = MutexDictionary()
          for key in keys {
            container.register(singleton: Leaf.self, for: ObjectIdentifier(key)) { _ in
              Leaf(state: 1)
            }
          }
          for key in keys {
            blackHole(try container.resolve(Leaf.self, for: ObjectIdentifier(key)))
          }
        }
      }
    }
  }
}

extension MutexDictionary {
  fileprivate func registerComplex() {
    register(Left.self) { _ in Left() }
    register(Right.self) { _ in Right() }
    register(OtherLeft.self) { _ in OtherLeft() }
    register(OtherRight.self) { _ in OtherRight() }
    register(Combined.self) { Combined(try $0.resolve(Left.self), try $0.resolve(Right.self)) }
    register(FirstBranch.self) {
      FirstBranch(try $0.resolve(Left.self), try $0.resolve(Right.self))
    }
    register(SecondBranch.self) {
      SecondBranch(try $0.resolve(OtherLeft.self), try $0.resolve(OtherRight.self))
    }
    register(Complex.self) {
      Complex(try $0.resolve(FirstBranch.self), try $0.resolve(SecondBranch.self))
    }
  }
}
