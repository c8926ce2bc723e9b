// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import XCTest

@testable import Corinth

/// Dependents of instances that resolve later, and of instances whose construction is not seen:
/// with `maximumConcurrency`, a pair keeps its order unless the instances are known to be
/// independent.
final class SideBySideLaterResolvesTests: SideBySideTestCase {
  // MARK: - What resolves later, of a construction that is not seen

  private func assertAsynchronous(
    file: StaticString = #filePath, line: UInt = #line,
    _ later: @escaping @Sendable (Resolver) throws -> any Sendable
  ) async throws {
    try addX()
    try container.registerAsync(S.self, scope: .singleton, with: staged("s")) {
      S([try later($0)])
    }
    _ = try await container.resolveAsync(S.self)
    _ = try container.resolve(X.self)
    try container.register(B.self, scope: .singleton, with: staged("b")) {
      B([try $0.resolve(S.self)])
    }
    _ = try container.resolve(B.self)
    try await assertNotTogether("b", "x", file: file, line: line)
  }

  func testADependentOfAnAsynchronousInstanceWithALazyValueKeepsItsOrder() async throws {
    try await assertAsynchronous { try $0.resolve(Lazy<X>.self) }
  }

  func testADependentOfAnAsynchronousInstanceWithAProviderKeepsItsOrder() async throws {
    try await assertAsynchronous { try $0.provider(for: X.self) }
  }

  func testADependentOfAnAsynchronousInstanceThatMakesScopesKeepsItsOrder() async throws {
    try await assertAsynchronous { try $0.resolve(ScopeFactory.self) }
  }

  func testADependentOfAnAsynchronousInstanceThatKeepsAContainerKeepsItsOrder() async throws {
    try await assertAsynchronous { try $0.container }
  }

  /// A value is made of instances, one of which resolves later: the dependent of the value began
  /// its disposal beside what that instance had resolved.
  func testADependentOfAValueThatHoldsAnInstanceWithALazyValueKeepsItsOrder() async throws {
    try addX()
    try container.register(T.self, scope: .singleton) { T([try $0.resolve(Lazy<X>.self)]) }
    try container.register(value: K([try container.resolve(T.self)]), with: staged("k"))
    _ = try container.resolve(T.self).keeps.map { try ($0 as? Lazy<X>)?.value }
    try addA()
    try await assertNotTogether("a", "x")
  }

  func testADependentOfAValueThatHoldsAnInstanceWithItsResolverKeepsItsOrder() async throws {
    try addX()
    try container.register(T.self, scope: .singleton) { T([$0]) }
    try container.register(value: K([try container.resolve(T.self)]), with: staged("k"))
    _ = try container.resolve(X.self)
    try addA()
    try await assertNotTogether("a", "x")
  }

  // MARK: - Lazy of other kinds

  private func assertLazy(
    file: StaticString = #filePath, line: UInt = #line, _ add: () async throws -> Void
  ) async throws {
    try addX()
    try container.register(A.self, scope: .singleton, with: staged("a")) {
      A([try $0.resolve(Lazy<K>.self)])
    }
    try container.register(K.self, scope: .singleton) { _ in K() }
    _ = try container.resolve(A.self)
    _ = try container.resolve(X.self)
    try await add()
    try await assertNotTogether("a", "x", file: file, line: line)
  }

  func testALazyValueOfAConstantIsFollowed() async throws {
    try await assertLazy {
      let x = try container.resolve(X.self)
      try container.register(value: K([x]))
    }
  }

  func testALazyValueOfAnAsynchronousInstanceIsFollowed() async throws {
    try await assertLazy {
      try container.registerAsync(K.self, scope: .singleton) {
        K([try await $0.resolveAsync(X.self)])
      }
      _ = try await container.resolveAsync(K.self)
    }
  }

  func testALazyValueOfATransientIsFollowed() async throws {
    try await assertLazy {
      try container.register(T.self, scope: .singleton) { T([try $0.resolve(X.self)]) }
      try container.register(K.self) { K([try $0.resolve(T.self)]) }
      _ = try container.resolve(K.self)
    }
  }

  func testALazyValueOfACachedInstanceIsFollowed() async throws {
    try await assertLazy {
      try container.register(K.self, scope: .cached(for: .seconds(1000))) {
        K([try $0.resolve(X.self)])
      }
      _ = try container.resolve(K.self)
    }
  }

  func testACollectionOfLazyValuesIsFollowed() async throws {
    try addX()
    try container.register(K.self, scope: .singleton) { K([try $0.resolve(X.self)]) }
    try container.register(A.self, scope: .singleton, with: staged("a")) {
      A([try $0.resolve([Lazy<K>].self)])
    }
    _ = try container.resolve(A.self)
    _ = try container.resolve(K.self)
    try await assertNotTogether("a", "x")
  }

  func testALazyValueOfAConstantWithActionsIsFollowed() async throws {
    try await assertLazy {
      try container.register(value: K()).afterInit { resolver, k in
        k.keeps.append(try resolver.resolve(X.self))
      }
      _ = try container.resolve(K.self)
    }
  }
}
