// SPDX-License-Identifier: MIT

public import Corinth

extension Loop {
  /// The needs of the members, in factories and in actions.
  public enum Shape: CaseIterable, Sendable {
    /// A's factory needs B, B's action needs A.
    case factoryAndAction
    /// A's action needs B, B's action needs A.
    case twoActions
    /// A -> B -> C -> A in their actions.
    case threeActions
    /// A's and B's factories need the next one, C's action needs A.
    case twoFactoriesAndAction

    public var count: Int {
      switch self {
      case .factoryAndAction, .twoActions: 2
      case .threeActions, .twoFactoriesAndAction: 3
      }
    }
  }

  public func add(_ shape: Shape, to container: Container) throws {
    let a: Need = { try $0.resolve(CompanionOf<A>.self) }
    let b: Need = { try $0.resolve(CompanionOf<B>.self) }
    let c: Need = { try $0.resolve(CompanionOf<C>.self) }
    switch shape {
    case .factoryAndAction:
      try add(A.self, to: container, factoryNeeds: b)
      try add(B.self, to: container, afterInitNeeds: a)
    case .twoActions:
      try add(A.self, to: container, afterInitNeeds: b)
      try add(B.self, to: container, afterInitNeeds: a)
    case .threeActions:
      try add(A.self, to: container, afterInitNeeds: b)
      try add(B.self, to: container, afterInitNeeds: c)
      try add(C.self, to: container, afterInitNeeds: a)
    case .twoFactoriesAndAction:
      try add(A.self, to: container, factoryNeeds: b)
      try add(B.self, to: container, factoryNeeds: c)
      try add(C.self, to: container, afterInitNeeds: a)
    }
  }

  public func addAsync(_ shape: Shape, to container: Container) throws {
    let a: AsyncNeed = { try await $0.resolveAsync(CompanionOf<A>.self) }
    let b: AsyncNeed = { try await $0.resolveAsync(CompanionOf<B>.self) }
    let c: AsyncNeed = { try await $0.resolveAsync(CompanionOf<C>.self) }
    switch shape {
    case .factoryAndAction:
      try addAsync(A.self, to: container, factoryNeeds: b)
      try addAsync(B.self, to: container, afterInitNeeds: a)
    case .twoActions:
      try addAsync(A.self, to: container, afterInitNeeds: b)
      try addAsync(B.self, to: container, afterInitNeeds: a)
    case .threeActions:
      try addAsync(A.self, to: container, afterInitNeeds: b)
      try addAsync(B.self, to: container, afterInitNeeds: c)
      try addAsync(C.self, to: container, afterInitNeeds: a)
    case .twoFactoriesAndAction:
      try addAsync(A.self, to: container, factoryNeeds: b)
      try addAsync(B.self, to: container, factoryNeeds: c)
      try addAsync(C.self, to: container, afterInitNeeds: a)
    }
  }
}
