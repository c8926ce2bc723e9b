// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private struct RequestID: Sendable, Hashable {
  let number: Int
}

private protocol Principal: Sendable {
  var name: String { get }
}

private struct Customer: Principal {
  let name: String
}

private class Account: @unchecked Sendable {}
private final class Premium: Account, @unchecked Sendable {}

private final class Handler: Sendable {
  let id: RequestID
  let user: any Principal

  init(id: RequestID, user: any Principal) {
    self.id = id
    self.user = user
  }
}

final class ScopeInputTests: ContainerTestCase {
  private let id = RequestID(number: 7)

  override func setUpWithError() throws {
    try container.registerInput(RequestID.self)
    try container.registerInput((any Principal).self)
  }

  /// What a resolve throws that has no input.
  private func text(_ resolve: () throws -> Any) -> String {
    do {
      return "resolved \(try resolve())"
    } catch {
      XCTAssertTrue(error.is(.scopeInputMissing), "\(error)")
      return "\(error)"
    }
  }

  // MARK: - Values

  func testAScopeServesWhatItWasMadeWith() throws {
    let scope = container.makeScope(providing: id)
    XCTAssertEqual(try scope.resolve(RequestID.self), id)
    XCTAssertEqual(try scope.resolveIfRegistered(RequestID.self), id)
    XCTAssertEqual(try scope.provider(for: RequestID.self)(), id)
    XCTAssertEqual(try scope.withResolved(RequestID.self) { $0.number }, 7)
  }

  func testInputsOfSeveralTypesAreGivenAtOnce() throws {
    try container.registerInput(Int.self)
    try container.registerInput(String.self)
    let scope = container.makeScope(providing: id, 3, "three")
    XCTAssertEqual(try scope.resolve(RequestID.self), id)
    XCTAssertEqual(try scope.resolve(Int.self), 3)
    XCTAssertEqual(try scope.resolve(String.self), "three")
  }

  func testEachScopeHasItsOwn() throws {
    let scopes = (0..<10).map { container.makeScope(providing: RequestID(number: $0)) }
    XCTAssertEqual(try scopes.map { try $0.resolve(RequestID.self).number }, Array(0..<10))
  }

  func testScopedServicesAreWiredWithInputs() throws {
    try container.wire(Handler.self, using: Handler.init(id:user:)).as(.scoped)
    let scope = container.makeScope(providing: id, Customer(name: "Ada") as any Principal)
    let handler = try scope.resolve(Handler.self)
    XCTAssertEqual(handler.id, id)
    XCTAssertEqual(handler.user.name, "Ada")
    XCTAssertTrue(try scope.resolve(Handler.self) === handler)
  }

  func testTransientsOfAScopeGetItsInputs() throws {
    try container.register(Int.self) { try $0.resolve(RequestID.self).number }
    XCTAssertEqual(try container.makeScope(providing: id).resolve(Int.self), 7)
  }

  func testAnOptionalInputMayBeNil() throws {
    try container.registerInput(String?.self)
    let scope = container.makeScope(providing: String?.none)
    XCTAssertNil(try scope.resolve(String?.self))
  }

  func testAsynchronousResolvesFindInputs() async throws {
    try container.registerAsync(Int.self) { try await $0.resolveAsync(RequestID.self).number }
    let number = try await container.makeScope(providing: id).resolveAsync(Int.self)
    XCTAssertEqual(number, 7)
  }

  func testAnOptionalInputThatIsNotGivenIsNil() throws {
    try container.registerInput(String?.self)
    XCTAssertNil(try container.makeScope(providing: id).resolve(String?.self))
    XCTAssertThrowsError(try container.resolve(String?.self)) {
      XCTAssertTrue($0.is(.scopeInputMissing), "outside of scopes: \($0)")
    }
  }

  func testAnOptionalInputTakesAValueOfItsType() throws {
    try container.registerInput(String?.self)
    try container.registerInput((any Principal)?.self)
    let scope = container.makeScope(providing: Int?.none, "three", Customer(name: "Ada"))
    XCTAssertEqual(try scope.resolve(String?.self), "three")
    XCTAssertEqual(try scope.resolve((any Principal)?.self)?.name, "Ada")
  }

  /// The compiler opened the first of several inputs: a variable was an input of another type in
  /// the first place.
  func testAVariableIsGivenUnderItsStaticTypeInEachPlace() throws {
    try container.registerInput(Customer.self)
    let user: any Principal = Customer(name: "Ada")
    for scope in [
      container.makeScope(providing: user, Customer(name: "Bo")),
      container.makeScope(providing: Customer(name: "Bo"), user),
    ] {
      XCTAssertEqual(try scope.resolve((any Principal).self).name, "Ada")
      XCTAssertEqual(try scope.resolve(Customer.self).name, "Bo")
    }
  }

  func testAnInputThatConformsServesAProtocol() throws {
    let user: any Principal = Customer(name: "Ada")
    XCTAssertEqual(
      try container.makeScope(providing: user).resolve((any Principal).self).name, "Ada")
    XCTAssertEqual(
      try container.makeScope(providing: id, Customer(name: "Bo"))
        .resolve((any Principal).self).name, "Bo")
  }

  func testAnInputOfASubclassServesItsSuperclass() throws {
    try container.registerInput(Account.self)
    let account = Premium()
    XCTAssertTrue(
      try container.makeScope(providing: account).resolve(Account.self) === account)
  }

  func testTheTypeItselfComesBeforeOneThatConforms() throws {
    let scope = container.makeScope(
      providing: Customer(name: "Ada") as any Principal, Customer(name: "Bo"))
    XCTAssertEqual(try scope.resolve((any Principal).self).name, "Ada")
  }

  // MARK: - Containers around the scope

  func testAScopeWithinAScopeFindsTheInputsAroundIt() throws {
    let outer = container.makeScope(providing: id, Customer(name: "Ada"))
    let inner = outer.makeScope(providing: RequestID(number: 8))
    XCTAssertEqual(try inner.resolve(RequestID.self).number, 8)
    XCTAssertEqual(try inner.resolve((any Principal).self).name, "Ada")
    XCTAssertEqual(try outer.resolve(RequestID.self).number, 7)
  }

  /// The outer scope's value was served, as its type was the exact one.
  func testTheNearestScopeDecidesAlsoWithAValueThatConforms() throws {
    let outer = container.makeScope(providing: Customer(name: "outer") as any Principal)
    let inner = outer.makeScope(providing: Customer(name: "inner"))
    XCTAssertEqual(try inner.resolve((any Principal).self).name, "inner")
  }

  func testAChildOfAScopeFindsItsInputs() throws {
    let child = Container(parent: Container(parent: container.makeScope(providing: id)))
    XCTAssertEqual(try child.resolve(RequestID.self), id)
  }

  func testAForkOfAScopeHasItsInputs() throws {
    let fork = container.makeScope(providing: id).fork()
    XCTAssertEqual(try fork.resolve(RequestID.self), id)
    XCTAssertEqual(try fork.makeScope().resolve(RequestID.self), id)
  }

  // What was built in the fork counted as outliving the scope, whose inputs it has.
  func testInstancesOfAForkOfAScopeHaveItsInputs() throws {
    struct Handler { let id: RequestID }
    final class Session: Sendable {
      let id: RequestID
      init(id: RequestID) { self.id = id }
    }
    try container.wire(Handler.self, using: Handler.init).as(.scoped)
    try container.wire(Session.self, using: Session.init).as(.singleton)
    let fork = container.makeScope(providing: id).fork()
    XCTAssertEqual(try fork.resolve(Handler.self).id, id)
    XCTAssertEqual(try fork.makeScope().resolve(Handler.self).id, id)
  }

  // Whether a singleton kept the absence of a user for all others depended on who came first.
  func testASingletonDoesNotKeepThatAnOptionalInputIsAbsent() throws {
    struct User: Sendable {}
    try container.registerInput(User?.self)
    try container.register(String.self) { _ in
      "\(String(describing: try Container.current?.resolve(User?.self)))"
    }.as(.singleton)
    let scope = container.makeScope()
    XCTAssertThrowsError(try scope.withCurrent { try container.resolve(String.self) }) { error in
      guard case .captiveDependency = error as? ResolutionError else { return XCTFail("\(error)") }
    }
  }

  func testAForkOfTheRootKeepsTheDeclaration() throws {
    let fork = container.fork()
    XCTAssertEqual(try fork.makeScope(providing: id).resolve(RequestID.self), id)
  }

  func testAFrozenContainerMakesScopesWithInputs() async throws {
    let frozen = try ContainerBuilder().configure { try $0.registerInput(RequestID.self) }.build()
    XCTAssertEqual(try frozen.makeScope(providing: id).resolve(RequestID.self), id)
    XCTAssertEqual(
      try frozen.syncWithScope(providing: id) { try $0.resolve(RequestID.self) }, id)
    let found = try await frozen.withScope(providing: id) { try $0.resolve(RequestID.self) }
    XCTAssertEqual(found, id)
  }

  func testARegistrationOfTheScopeShadowsAnInput() throws {
    let scope = container.makeScope(providing: id)
    try scope.register(RequestID.self) { _ in RequestID(number: 1) }
    XCTAssertEqual(try scope.resolve(RequestID.self).number, 1)
  }

  // MARK: - As a registration

  func testAnInputCanBeOverridden() throws {
    let fork = try container.fork { fork in
      try fork.register(RequestID.self, onDuplicate: .require) { _ in RequestID(number: 0) }
    }
    XCTAssertEqual(try fork.makeScope(providing: id).resolve(RequestID.self).number, 0)
  }

  func testAnInputIsForwardedAndDecorated() throws {
    try container.registerInput(Customer.self).implements((any Principal).self)
    try container.decorate(Customer.self) { user, _ in Customer(name: user.name + "!") }
    let scope = container.makeScope(providing: Customer(name: "Ada"))
    XCTAssertEqual(try scope.resolve((any Principal).self).name, "Ada!")
  }

  func testAnInputIsListedAsOne() throws {
    let listed = try XCTUnwrap(container.registrations.first)
    XCTAssertEqual(listed.kind, .input)
    XCTAssertTrue(listed.description.hasPrefix("RequestID: input, "), "\(listed)")
  }

  func testAnInputIsDeclaredOnceWhereDuplicatesAreRefused() throws {
    let strict = Container(duplicates: .refuse)
    try strict.registerInput(Int.self)
    XCTAssertThrowsError(try strict.registerInput(Int.self)) {
      XCTAssertTrue($0.is(.alreadyRegistered), "\($0)")
    }
  }

  // MARK: - Missing

  func testOutsideOfAScopeAnInputIsMissing() {
    let text = text { try container.resolve(RequestID.self) }
    XCTAssertTrue(
      text.hasPrefix(
        "RequestID is an input of request scopes, and was asked for outside of a request scope.\n  registered at "
      ),
      text)
    XCTAssertTrue(text.contains("`container.withScope(providing: value) { scope in ... }`"), text)
  }

  func testAScopeThatWasMadeWithoutItSaysWhatItHas() {
    let scope = container.makeScope(providing: Customer(name: "Ada"))
    let message = text { try scope.resolve(RequestID.self) }
    XCTAssertTrue(
      message.contains("the request scope was made with these inputs: Customer."), message)
    let empty = text { try container.makeScope().resolve(RequestID.self) }
    XCTAssertTrue(empty.contains("these inputs: none."), empty)
  }

  func testASingletonCannotHaveAnInput() throws {
    try container.wire(Handler.self, using: Handler.init(id:user:)).as(.singleton)
    let scope = container.makeScope(providing: id, Customer(name: "Ada"))
    let text = text { try scope.resolve(Handler.self) }
    XCTAssertTrue(text.contains("path: Handler -> RequestID"), text)
    XCTAssertTrue(text.hasPrefix("Handler needs RequestID outside of every request scope."), text)
  }

  // The message said that the input had not been given, to a scope that it had been given to.
  func testTheErrorOfASingletonThatNeedsAnInputNamesTheSingleton() throws {
    try container.register(Int.self) { try $0.resolve(RequestID.self).number }
    try container.register([Int].self, file: "App/Setup.swift", line: 7) {
      [try $0.resolve(Int.self)]
    }.as(.singleton)
    try container.register(String.self) { "\(try $0.resolve([Int].self))" }
    XCTAssertThrowsError(
      try container.syncWithScope(providing: id) { try $0.resolve(String.self) }
    ) { error in
      XCTAssertTrue(error.is(.scopeInputMissing), "\(error)")
      XCTAssertEqual((error as? ResolutionError)?.context.captor?.description, "[Int]")
      let text = "\(error)"
      XCTAssertTrue(
        text.hasPrefix(
          "[Int] needs RequestID outside of every request scope.\n"
            + "  [Int] is registered at App/Setup.swift:7\n  RequestID is registered at "), text)
      XCTAssertTrue(
        text.hasSuffix(
          "  path: String -> [Int] -> Int -> RequestID\n"
            + "  hint: register [Int] as .scoped, or pass RequestID to its functions."), text)
    }
  }

  /// A singleton that found the scope by way of the current container kept the input of the first
  /// request for ever.
  func testASingletonCannotKeepAnInputOfTheCurrentScope() throws {
    try container.register(Int.self) { try $0.resolve(RequestID.self).number }
    for useOfInput: @Sendable (Container) throws -> Int in [
      { try $0.resolve(RequestID.self).number }, { try $0.resolve(Int.self) },
    ] {
      try container.register([Int].self) { _ in
        [try useOfInput(try XCTUnwrap(Container.current))]
      }.as(.singleton)
      let scope = container.makeScope(providing: id)
      XCTAssertThrowsError(try scope.withCurrent { try scope.resolve([Int].self) }) { error in
        XCTAssertTrue(error.is(.captiveDependency), "\(error)")
        XCTAssertTrue(
          "\(error)".hasPrefix("[Int] would keep RequestID beyond its request scope."),
          "\(error)")
      }
    }
  }

  func testASingletonMayOpenAScopeWithInputsItself() throws {
    try container.register([Int].self) { resolver in
      try resolver.container.syncWithScope(providing: RequestID(number: 1)) {
        [try $0.resolve(RequestID.self).number]
      }
    }.as(.singleton)
    XCTAssertEqual(try container.makeScope(providing: id).resolve([Int].self), [1])
  }

  func testAnOptionalOfAMissingInputIsAnErrorToo() throws {
    XCTAssertThrowsError(try container.resolveIfRegistered(RequestID.self)) {
      XCTAssertTrue($0.is(.scopeInputMissing), "\($0)")
    }
  }

  func testAValueThatWasNotDeclaredIsMissingWithAHint() {
    let scope = container.makeScope(providing: 3)
    XCTAssertThrowsError(try scope.resolve(Int.self)) { error in
      XCTAssertTrue(error.is(.noRegistrationFound), "\(error)")
      XCTAssertTrue("\(error)".contains("declare it with `registerInput(Int.self)`"), "\(error)")
    }
  }

  func testAnInputHasNoScopeIsNotEagerAndIsNotDisposedOf() throws {
    let scope = container.makeScope(providing: 3)
    for modify: (Registration<Int>) -> Void in [
      { $0.as(.singleton) }, { $0.as(.scoped) }, { $0.eager() }, { $0.onDispose { _ in } },
    ] {
      modify(try container.registerInput(Int.self))
      XCTAssertThrowsError(try scope.resolve(Int.self)) { error in
        XCTAssertTrue(error.is(.invalidRegistration), "\(error)")
        XCTAssertTrue("\(error)".contains("Int is an input, which request scopes"), "\(error)")
      }
    }
  }

  func testAClosedScopeServesNoInput() throws {
    let scope = container.makeScope(providing: id)
    try scope.syncClose()
    XCTAssertThrowsError(try scope.resolve(RequestID.self)) {
      XCTAssertTrue($0.is(.containerClosed), "\($0)")
    }
  }

  // MARK: - The life of a scope

  func testWithScopeClosesTheScopeAndReturnsTheResult() async throws {
    let closed = Journal()
    try container.wire(Handler.self, using: Handler.init(id:user:)).as(.scoped)
      .onDispose { closed.write("\($0.id.number)") }
    let user = Customer(name: "Ada")
    let number = try await container.withScope(providing: id, user) {
      try $0.resolve(Handler.self).id.number
    }
    let other = try await container.withScope(
      providing: RequestID(number: 8), user, timeLimit: .seconds(60)
    ) { try $0.resolve(Handler.self).id.number }
    XCTAssertEqual([number, other], [7, 8])
    XCTAssertEqual(closed.entries, ["7", "8"])
  }

  func testAContainerThatDrainsRefusesAScopeWithInputs() async throws {
    try await container.shutdown(draining: .zero)
    XCTAssertThrowsError(try container.syncWithScope(providing: id) { _ in XCTFail("it ran") }) {
      XCTAssertTrue($0.is(.scopeRefused), "\($0)")
    }
  }

  func testInputsEndWithTheirScope() throws {
    let tracker = LifetimeTracker()
    try container.registerInput(Tracked.self)
    for _ in 0..<10 {
      try container.syncWithScope(providing: tracker.make(), id) { scope in
        XCTAssertTrue(try scope.resolve(Tracked.self) === scope.resolve(Tracked.self))
      }
    }
    XCTAssertEqual(tracker.created, 10)
    XCTAssertEqual(tracker.left, 0)
  }

  func testManyThreadsMakeScopesWithInputsOfTheirOwn() throws {
    try container.wire(Handler.self, using: Handler.init(id:user:)).as(.scoped)
    let barrier = Barrier(8)
    let rounds = StressSize.scaled(500)
    let wrong = try onThreads(8) { [container] thread in
      barrier.wait()
      return try (0..<rounds).filter { round in
        let own = RequestID(number: thread * rounds + round)
        return try container.syncWithScope(providing: own, Customer(name: "\(own.number)")) {
          let handler = try $0.resolve(Handler.self)
          return handler.id != own || handler.user.name != "\(own.number)"
        }
      }.count
    }
    XCTAssertEqual(wrong, Array(repeating: 0, count: 8))
  }

  // MARK: - Two of one type

  func testAnInputThatWasGivenTwiceIsNotResolved() throws {
    try container.registerInput(Int.self, file: "App/Inputs.swift", line: 4)
    let expected = text { try container.makeScope(providing: 1, 2).resolve(Int.self) }
    assertGolden("input-repeated", expected)
    for resolve: (Container) throws -> Any in [
      { try $0.resolveIfRegistered(Int.self) as Any },
      { try $0.makeScope(providing: "inner").resolve(Int.self) },
    ] {
      XCTAssertEqual(
        text { try container.syncWithScope(providing: 1, 2, do: resolve) }, expected)
    }
    XCTAssertEqual(try container.makeScope(providing: 1, 2, id).resolve(RequestID.self), id)
  }

  func testANestedScopeMayGiveAnother() throws {
    let scope = container.makeScope(providing: id).makeScope(providing: RequestID(number: 8))
    XCTAssertEqual(try scope.resolve(RequestID.self).number, 8)
  }

  func testAnInputMayBeDeclaredTwice() throws {
    try container.registerInput(RequestID.self)
    XCTAssertEqual(try container.makeScope(providing: id).resolve(RequestID.self), id)
    XCTAssertNoThrow(try container.validate())
  }

  func testInputsThatAreGivenTwiceAreFound() throws {
    let found = findings {
      try container.validate(inputs: [RequestID.self, Customer.self, RequestID.self])
    }
    XCTAssertEqual(found.map(\.kind), [.missingInput])
    XCTAssertEqual(found.map(\.key), [RegistrationKey(RequestID.self)])
    let built = findings {
      try container.syncValidate(building: true, providing: id, id, Customer(name: "a"))
    }
    XCTAssertEqual(built.map(\.kind), [.missingInput], "\(built)")
  }

  // MARK: - Memory

  func testInputsOfAnySizeAndAlignmentAreServedAndReleased() throws {
    let tracker = LifetimeTracker()
    let wide = SIMD8<Double>(1, 2, 3, 4, 5, 6, 7, 8)
    let long = (0..<40).map { "\($0)" }
    try container.registerInput(SIMD8<Double>.self)
    try container.registerInput([String].self)
    try container.registerInput(Void.self)
    try container.registerInput(UInt8.self)
    try container.registerInput(Tracked.self)
    do {
      let scope = container.makeScope(providing: UInt8(3), wide, long, (), tracker.make())
      XCTAssertEqual(try scope.resolve(SIMD8<Double>.self), wide)
      XCTAssertEqual(try scope.resolve([String].self), long)
      XCTAssertEqual(try scope.resolve(UInt8.self), 3)
      XCTAssertNoThrow(try scope.resolve(Void.self))
      XCTAssertEqual(try scope.resolve(Tracked.self).serial, 1)
      try scope.syncClose()
    }
    XCTAssertEqual(tracker.left, 0)
  }
}
