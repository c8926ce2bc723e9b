// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Parts that are declared once, with a default factory.
final class ServiceKeyTests: ContainerTestCase {
  private final class Pool: Sendable {
    let label: String
    init(_ label: String = "default") { self.label = label }
  }

  private struct Mailer {
    let pool: Pool
  }

  private final class Repository<Row>: Sendable {}

  private enum App {
    static let pool: ServiceKey<Pool> = ServiceKey(scope: .singleton) { _ in Pool() }
    static let spare: ServiceKey<Pool> = ServiceKey(scope: .singleton) { _ in Pool("spare") }
    static let mailer: ServiceKey<Mailer> = ServiceKey { Mailer(pool: try $0.resolve(App.pool)) }
    static let session: ServiceKey<Pool> = ServiceKey(scope: .scoped) { _ in Pool("session") }
    static let failing: ServiceKey<Int> = ServiceKey { _ in throw FixtureError("no number") }
  }

  private enum Storage<Row: Sendable> {
    static var repository: ServiceKey<Repository<Row>> {
      ServiceKey(scope: .singleton) { _ in Repository() }
    }
  }

  private func label(in container: Container) throws -> String {
    try container.resolve(App.mailer).pool.label
  }

  // MARK: - Defaults

  func testAKeyResolvesWithoutARegistration() throws {
    let pool = try container.resolve(App.pool)
    XCTAssertEqual(pool.label, "default")
    XCTAssert(try container.resolve(App.pool) === pool)
    XCTAssert(try container.resolve(App.mailer).pool === pool, "a factory resolves the key")
    XCTAssert(try Container().resolve(App.pool) !== pool, "each container has its own")
    XCTAssert(try container.withResolved(key: App.pool) { $0 === pool })
  }

  func testKeysOfOneTypeAreToldApartByTheirPlaces() throws {
    XCTAssertEqual(try container.resolve(App.spare).label, "spare")
    XCTAssertEqual(try container.resolve(App.pool).label, "default")
    XCTAssertNotEqual(App.spare.key, App.pool.key)
    XCTAssertThrowsError(try container.resolve(Pool.self), "the type is no key")
  }

  func testAKeyMadeAtEveryUseIsOneKey() throws {
    let numbers = try container.resolve(Storage<Int>.repository)
    XCTAssert(try container.resolve(Storage<Int>.repository) === numbers)
    XCTAssertEqual(Storage<Int>.repository.key, Storage<Int>.repository.key)
    XCTAssertNotEqual(Storage<Int>.repository.key, Storage<String>.repository.key)
    _ = try container.resolve(Storage<String>.repository)
    XCTAssertEqual(container.registrations.count, 2)
  }

  func testKeysOfOnePlaceAreToldApartByTheirNames() throws {
    func key(_ name: String) -> ServiceKey<Pool> {
      ServiceKey(name: name, scope: .singleton) { _ in Pool(name) }
    }
    XCTAssertEqual(try container.resolve(key("a")).label, "a")
    XCTAssertEqual(try container.resolve(key("b")).label, "b")
    XCTAssertEqual(try container.resolve(key("a")).label, "a")
    XCTAssertEqual(container.registrations.count, 2)
  }

  func testTheDefaultIsRegisteredInTheOutermostContainer() throws {
    let child = Container(parent: container)
    let scope = child.makeScope()
    let pool = try scope.resolve(App.pool)
    XCTAssert(try container.resolve(App.pool) === pool)
    XCTAssertEqual(container.registrations.map(\.key), [App.pool.key])
    XCTAssertEqual(child.registrations.count, 0)
    XCTAssert(try scope.resolve(App.session) === scope.resolve(App.session))
    XCTAssert(try scope.resolve(App.session) !== child.makeScope().resolve(App.session))
    XCTAssertThrowsError(try container.resolve(App.session)) {
      XCTAssert($0.is(.scopeRequired), "\($0)")
    }
  }

  func testAFrozenContainerGetsTheDefaultsToo() throws {
    try container.freeze()
    XCTAssertEqual(try label(in: container), "default")
    XCTAssertThrowsError(try container.register(App.pool) { _ in Pool() })
  }

  func testAClosedContainerHasNoDefaults() throws {
    let child = Container(parent: container)
    try child.syncClose()
    for key in [App.pool, App.spare] {
      XCTAssertThrowsError(try child.resolve(key)) { XCTAssert($0.is(.containerClosed), "\($0)") }
    }
    XCTAssertEqual(container.registrations.count, 0)
    XCTAssertEqual(try label(in: container), "default")
  }

  func testTheActionsOfAKeyAreThoseOfItsDefault() throws {
    let journal = Journal()
    let key = ServiceKey<Pool>(
      scope: .singleton,
      with: .afterInit { _, pool in journal.write("made \(pool.label)") }
        .onDispose { journal.write("closed \($0.label)") }
    ) { _ in Pool() }
    let fork = try container.fork { try $0.register(key) { _ in Pool("fake") } }
    _ = try fork.resolve(key)
    try fork.syncClose()
    XCTAssertEqual(journal.entries, [])
    _ = try container.resolve(key)
    try container.syncClose()
    XCTAssertEqual(journal.entries, ["made default", "closed default"])
  }

  func testAContradictoryKeyIsAnErrorOfEachResolve() throws {
    let key = ServiceKey<Pool>(with: .onDispose { _ in }) { _ in Pool() }
    for _ in 1...2 {
      XCTAssertThrowsError(try container.resolve(key)) {
        XCTAssert($0.is(.invalidRegistration), "\($0)")
      }
    }
  }

  func testBehaviorsAndDecoratorsSeeADefaultAsARegistration() throws {
    let behavior = RecordingListener()
    container.add(behavior)
    try container.decorate(Pool.self) { pool, _ in Pool("decorated \(pool.label)") }
    XCTAssertEqual(try label(in: container), "decorated default")
    XCTAssertEqual(behavior.journal.entries, ["\(App.mailer)", "\(App.pool)"])
  }

  // MARK: - Registrations under keys

  func testARegistrationTakesTheDefaultsPlaceBeforeAndAfter() throws {
    for policy in [.override, .refuse, .keep, .warn, .require] as [DuplicatePolicy] {
      for isUsed in [false, true] {
        let container = Container(duplicates: policy)
        if isUsed { _ = try label(in: container) }
        try container.register(App.pool) { _ in Pool("mine") }
        XCTAssertEqual(try label(in: container), "mine", "\(policy) \(isUsed)")
        XCTAssert(try container.resolve(App.pool) === container.resolve(App.pool), "its scope")
      }
    }
  }

  func testThePolicyDecidesBetweenRegistrations() throws {
    try container.register(App.pool, onDuplicate: .keep) { _ in Pool("first") }
    try container.register(App.pool, onDuplicate: .keep) { _ in Pool("second") }
    XCTAssertEqual(try label(in: container), "first")
    XCTAssertThrowsError(try container.register(App.pool, onDuplicate: .refuse) { _ in Pool() })
    try container.register(App.pool, scope: .transient) { _ in Pool("third") }
    XCTAssertEqual(try label(in: container), "third")
    XCTAssert(try container.resolve(App.pool) !== container.resolve(App.pool))
  }

  func testAnOverrideIsUndoneToTheDefault() throws {
    let pool = try container.resolve(App.pool)
    let registration = try container.register(App.pool, onDuplicate: .require) { _ in Pool("fake") }
    XCTAssertEqual(try label(in: container), "fake")
    XCTAssert(registration.restore())
    XCTAssert(try container.resolve(App.pool) === pool)
  }

  func testARemovedRegistrationLeavesTheDefault() throws {
    XCTAssertFalse(container.contains(App.pool))
    _ = try container.resolve(App.pool)
    XCTAssertFalse(container.contains(App.pool))
    try container.register(App.pool) { _ in Pool("mine") }
    XCTAssert(container.contains(App.pool))
    XCTAssert(Container(parent: container).contains(App.pool))
    XCTAssert(container.unregister(App.pool))
    XCTAssertFalse(container.contains(App.pool))
    XCTAssertEqual(try label(in: container), "default")
    let pool = try container.resolve(App.pool)
    XCTAssertFalse(container.unregister(App.pool), "the default is not removed")
    XCTAssert(try container.resolve(App.pool) === pool)
    let fork = container.fork()
    XCTAssertFalse(fork.unregister(App.pool))
    try container.register(App.pool) { _ in Pool("mine") }
    XCTAssert(container.fork().unregister(App.pool))
    container.removeAll()
    XCTAssertEqual(try label(in: container), "default")
  }

  func testAReleasedDefaultIsBuiltAgain() throws {
    XCTAssertFalse(container.release(App.pool))
    let pool = try container.resolve(App.pool)
    XCTAssert(container.release(App.pool))
    XCTAssert(try container.resolve(App.pool) !== pool)
  }

  func testAChildsRegistrationIsTheChilds() throws {
    let child = Container(parent: container)
    try child.register(App.pool) { _ in Pool("child") }
    XCTAssertEqual(try label(in: child), "child")
    XCTAssertEqual(try label(in: container), "default")
    XCTAssertEqual(try label(in: child.makeScope()), "child")
  }

  // MARK: - Forks

  func testAForkHasItsOwnInstanceOfADefault() throws {
    let early = container.fork()
    let pool = try container.resolve(App.pool)
    let late = container.fork()
    for fork in [early, late, late.fork()] {
      XCTAssertEqual(try label(in: fork), "default")
      XCTAssert(try fork.resolve(App.pool) !== pool)
      XCTAssert(try fork.resolve(App.pool) === fork.resolve(App.pool))
    }
    XCTAssert(try container.resolve(App.pool) === pool)
  }

  func testADefaultUsedFirstInAForkIsTheBasesToo() throws {
    let fork = container.fork()
    _ = try fork.resolve(App.pool)
    XCTAssertEqual(container.registrations.map(\.key), [App.pool.key])
    XCTAssertEqual(container.registrations.map(\.isBuilt), [false])
  }

  func testAForksRegistrationReachesItsSingletons() throws {
    let key = ServiceKey<[Pool]>(scope: .singleton) { [try $0.resolve(App.pool)] }
    XCTAssertEqual(try container.resolve(key).map(\.label), ["default"])
    let fork = try container.fork { try $0.register(App.pool) { _ in Pool("fake") } }
    XCTAssertEqual(try fork.resolve(key).map(\.label), ["fake"])
    XCTAssertEqual(try container.resolve(key).map(\.label), ["default"])
  }

  func testAForkKeepsWhatItsBaseHadUnderTheKey() throws {
    let before = container.fork()
    try container.register(App.pool) { _ in Pool("first") }
    let during = container.fork()
    container.unregister(Pool.self, name: App.pool.key.name)
    let after = container.fork()
    XCTAssertEqual(try label(in: container), "default")
    try container.register(App.pool) { _ in Pool("second") }
    XCTAssertEqual(try label(in: before), "default")
    XCTAssertEqual(try label(in: during), "first")
    XCTAssertEqual(try label(in: after), "default")
    XCTAssertEqual(try label(in: container), "second")
    XCTAssertEqual(try label(in: before.fork()), "default")
  }

  func testAForkThatDoesNotSeeTheDefaultLeavesItsBaseAlone() throws {
    let child = Container(parent: container)
    _ = try container.resolve(App.pool)
    // The container keeps the default for the fork, and its next default is younger than both.
    let former = container.fork()
    container.removeAll()
    let late = child.fork()
    let pool = try container.resolve(App.pool)
    XCTAssertEqual(try label(in: late), "default")
    XCTAssertEqual(try label(in: former), "default")
    XCTAssertEqual(child.registrations.count, 0)
    XCTAssert(try child.resolve(App.pool) === pool)
  }

  func testAForkOfAForkSeesWhatTheForkHasHiddenSince() throws {
    try container.register(App.pool) { _ in Pool("base") }
    let fork = container.fork()
    let former = fork.fork()
    fork.removeAll()
    XCTAssertEqual(try label(in: fork), "default")
    XCTAssertEqual(try label(in: former), "base")
    XCTAssertEqual(try label(in: fork.fork()), "default")
  }

  func testAForkWithoutItsBasesRegistrationsHasDefaults() throws {
    try container.register(App.pool) { _ in Pool("base") }
    let emptied = container.fork()
    emptied.removeAll()
    XCTAssertEqual(try label(in: emptied), "default")
    let removed = container.fork()
    XCTAssert(removed.unregister(Pool.self, name: App.pool.key.name))
    XCTAssertEqual(try label(in: removed), "default")
    let detached = container.fork()
    detached.detach()
    XCTAssertEqual(try label(in: detached), "base")
    XCTAssertEqual(try detached.resolve(App.spare).label, "spare")
    XCTAssertEqual(try label(in: container), "base")
  }

  // MARK: - Versions

  func testAReloadKeepsTheInstanceOfADefault() async throws {
    let key = ServiceKey<Pool>(scope: .singleton, with: .dependsOn()) { _ in Pool() }
    let reloadable = ReloadableContainer(container)
    let pool = try reloadable.current.resolve(key)
    try await reloadable.reload { try $0.register(value: 1) }.value
    XCTAssert(try reloadable.current.resolve(key) === pool)
    try await reloadable.reload {
      try $0.register(key, with: .dependsOn()) { _ in Pool("new") }
    }.value
    XCTAssertEqual(try reloadable.current.resolve(key).label, "new")
    try await reloadable.reload { XCTAssert($0.unregister(Pool.self, name: key.key.name)) }.value
    XCTAssertEqual(try reloadable.current.resolve(key).label, "default")
    XCTAssertEqual(container.registrations.map(\.key), [key.key], "the base has the default")
  }

  /// A default used first after a reload was built of what its base has, not of what the reload
  /// had registered.
  func testADefaultFirstUsedAfterAReloadIsMadeOfTheReloadsRegistrations() async throws {
    let pool = ServiceKey<Pool>(scope: .singleton, with: .dependsOn()) { _ in Pool() }
    let known = ServiceKey<[Pool]>(scope: .singleton, with: .dependsOn(keys: [pool.key])) {
      [try $0.resolve(pool)]
    }
    let unknown = ServiceKey<[Pool]>(scope: .singleton) { [try $0.resolve(pool)] }
    let reloadable = ReloadableContainer(container)
    let scope = try reloadable.scopes.makeScope()
    try await reloadable.reload {
      try $0.register(pool, with: .dependsOn()) { _ in Pool("new") }
    }
    for key in [known, unknown] {
      XCTAssertEqual(try reloadable.current.resolve(key).map(\.label), ["new"])
      XCTAssertEqual(try scope.resolve(key).map(\.label), ["default"])
      XCTAssertEqual(try container.resolve(key).map(\.label), ["default"])
    }
    try await scope.close()
    // The registration with unknown dependencies would be refused.
    container.unregister([Pool].self, name: unknown.key.name)
  }

  // MARK: - Texts

  func testMessagesNameThePlaceOfTheDeclaration() throws {
    let line: UInt = #line + 1
    let key = ServiceKey<Pool>(name: "bulk") { _ in Pool() }
    let text = "Pool declared as \"bulk\" at CorinthTests/ServiceKeyTests.swift:\(line)"
    XCTAssertEqual("\(key)", text)
    XCTAssertEqual("\(key.key)", text)
    XCTAssertEqual(
      key.key.name?.description, "key \"bulk\" at CorinthTests/ServiceKeyTests.swift:\(line)")
    XCTAssert("\(App.pool)".hasPrefix("Pool declared at CorinthTests/ServiceKeyTests.swift:"))
    XCTAssertThrowsError(try container.resolve(App.failing)) { error in
      XCTAssert("\(error)".contains("Int declared at CorinthTests/ServiceKeyTests"), "\(error)")
    }
    XCTAssert(container.registrations[0].location.line < line)
  }
}
