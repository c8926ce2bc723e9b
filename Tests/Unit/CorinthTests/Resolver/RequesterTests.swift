// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What has asked for it.
private final class Label: Sendable {
  let name: String
  init(_ name: String) { self.name = name }
}

private protocol Labeled: Sendable { var name: String { get } }
extension Label: Labeled {}

private final class Link<Tag>: Sendable {
  let label: Label?
  let inner: Link<A>?
  init(label: Label? = nil, inner: Link<A>? = nil) { (self.label, self.inner) = (label, inner) }
}

/// An instance with the label that it got.
private struct Part<Tag>: Sendable {
  let label: String
}

private final class WiredPart: Sendable {
  let label: Label
  let optional: Label?
  let named: Named<Label, Other>
  init(label: Label, optional: Label?, named: Named<Label, Other>) {
    (self.label, self.optional, self.named) = (label, optional, named)
  }
}

private enum Other: NameMarker { static let name: Name = "other" }

private final class Screen {
  @Injected var label: Label
  init(_ container: Container) { _label = Injected(projectedValue: .container(container)) }
}

private typealias PartA = Part<A>
private typealias PartB = Part<B>

final class RequesterTests: AsyncTestCase {
  override func setUp() {
    super.setUp()
    XCTAssertNoThrow(try registerLabel(in: container))
  }

  private func registerLabel(in container: Container, name: Name? = nil) throws {
    try container.registerPerRequester(Label.self, name: name) { _, requester in
      Label(requester.map { "\($0.product)" } ?? "root")
    }
  }

  private func label(_ resolver: some Resolving) throws -> String {
    try resolver.resolve(Label.self).name
  }

  private let ofA = "\(PartA.self)"
  private let ofB = "\(PartB.self)"

  // MARK: - Who asks

  func testOutsideOfFactoriesNobodyAsks() throws {
    XCTAssertEqual(try label(container), "root")
    try container.withResolution { XCTAssertEqual(try label($0), "root") }
  }

  func testEachRegistrationGetsItsOwn() throws {
    for scope in [.transient, .singleton, .graph, .weak] as [Scope<Link<B>>] {
      let container = Container()
      try registerLabel(in: container)
      try container.register(Link<A>.self) { Link(label: try $0.resolve()) }
      try container.register(Link<B>.self, scope: scope) { resolver in
        let inner = try resolver.resolve(Link<A>.self)
        return Link(label: try resolver.resolve(), inner: inner)
      }
      let link = try container.resolve(Link<B>.self)
      XCTAssertEqual(link.inner?.label?.name, "\(Link<A>.self)")
      XCTAssertEqual(link.label?.name, "\(Link<B>.self)")
      XCTAssertEqual(try label(container), "root", "and nobody afterwards")
    }
  }

  func testTheOneThatAsksDirectlyCounts() throws {
    try container.register(PartA.self) { Part(label: try $0.resolve(Label.self).name) }
    try container.register(PartB.self) { resolver in
      let inner = try resolver.resolve(PartA.self).label
      return Part(label: "\(inner), \(try resolver.resolve(Label.self).name)")
    }
    XCTAssertEqual(try container.resolve(PartB.self).label, "\(ofA), \(ofB)")
  }

  func testTheNameOfTheRequesterIsKnown() throws {
    try container.registerPerRequester(String.self) { _, requester in
      requester?.name?.description ?? "none"
    }
    for name in ["a", "b"] as [Name] {
      try container.register(PartA.self, name: name) { Part(label: try $0.resolve()) }
    }
    XCTAssertTrue(try container.resolve(PartA.self, name: "a").label.contains("a"))
    XCTAssertTrue(try container.resolve(PartA.self, name: "b").label.contains("b"))
  }

  func testAFactoryWithArgumentsAsks() throws {
    try container.register(PartA.self) { (resolver, number: Int) in
      Part(label: "\(number) \(try resolver.resolve(Label.self).name)")
    }
    XCTAssertEqual(try container.resolve(PartA.self, arguments: 7).label, "7 \(ofA)")
  }

  func testAFactoryThatAsksItsContainerIsTheRequester() throws {
    let container = container
    try container.register(PartA.self) { [unowned container] _ in
      Part(label: try container.resolve(Label.self).name)
    }
    XCTAssertEqual(try container.resolve(PartA.self).label, ofA)
  }

  func testAnAsynchronousFactoryAsks() async throws {
    for scope in [.transient, .singleton] as [Scope<PartA>] {
      try container.registerAsync(PartA.self, scope: scope) { resolver in
        await Task.yield()
        let first = try resolver.resolve(Label.self).name
        return Part(label: "\(first), \(try await resolver.resolveAsync(Label.self).name)")
      }
      let part = try await container.resolveAsync(PartA.self)
      XCTAssertEqual(part.label, "\(ofA), \(ofA)")
    }
    let outside = try await container.resolveAsync(Label.self)
    XCTAssertEqual(outside.name, "root")
  }

  func testAnOtherThreadAsksForTheFactoryWhoseResolverItHas() throws {
    try container.register(PartA.self) { resolver in
      Part(label: try onThreads(1) { _ in try resolver.resolve(Label.self).name }[0])
    }
    XCTAssertEqual(try container.resolve(PartA.self).label, ofA)
  }

  // MARK: - What is passed over

  func testAForwardIsNoRequester() throws {
    try container.forward((any Labeled).self, to: Label.self)
    try container.register(PartA.self) { Part(label: try $0.resolve((any Labeled).self).name) }
    XCTAssertEqual(try container.resolve(PartA.self).label, ofA)
    XCTAssertEqual(try container.resolve((any Labeled).self).name, "root")
  }

  func testACollectionIsNoRequester() throws {
    try registerLabel(in: container, name: "second")
    try container.register(PartA.self) { resolver in
      Part(label: try resolver.resolveAll(Label.self).map(\.name).joined(separator: ", "))
    }
    XCTAssertEqual(try container.resolve(PartA.self).label, "\(ofA), \(ofA)")
  }

  func testAWiredInitializerAsksForItsParameters() throws {
    try registerLabel(in: container, name: "other")
    try container.wire(WiredPart.self, using: WiredPart.init)
    let part = try container.resolve(WiredPart.self)
    XCTAssertEqual(part.label.name, "WiredPart")
    XCTAssertEqual(part.optional?.name, "WiredPart")
    XCTAssertEqual(part.named.value.name, "WiredPart")
  }

  func testProvidersAndLazyValuesTellWhoUsesThem() throws {
    try container.register(PartA.self) { resolver in
      let provider = try resolver.resolve(Provider<Label>.self)
      let lazy = try resolver.resolve(Lazy<Label>.self)
      return Part(label: "\(try provider().name), \(try lazy.value.name)")
    }
    XCTAssertEqual(try container.resolve(PartA.self).label, "\(ofA), \(ofA)")
  }

  func testAProviderThatIsUsedLaterHasNoRequester() throws {
    let providers = Locked<[Provider<Label>]>([])
    try container.register(PartA.self) { resolver in
      let provider = try resolver.resolve(Provider<Label>.self)
      providers.withLock { $0.append(provider) }
      return Part(label: "")
    }
    _ = try container.resolve(PartA.self)
    let provider = providers.withLock { $0[0] }
    XCTAssertEqual(try provider().name, "root")
    try container.register(PartB.self) { _ in Part(label: try provider().name) }
    XCTAssertEqual(try container.resolve(PartB.self).label, ofB, "but in another factory it has")
  }

  /// As a container that is asked: who uses it asks, whoever was given it.
  func testWhoUsesWhatAnInstanceStoresIsTheRequester() throws {
    final class Store: Sendable {
      let provider: Provider<Label>
      let lazy: Lazy<Label>
      init(provider: Provider<Label>, lazy: Lazy<Label>) {
        (self.provider, self.lazy) = (provider, lazy)
      }
    }
    try container.wire(Store.self, scope: .singleton, using: Store.init(provider:lazy:))
    try container.register(Screen.self, scope: .unchecked(.singleton)) {
      [unowned container] _ in Screen(container)
    }
    _ = try container.resolve(Store.self)
    try container.register(PartB.self) { resolver in
      let store = try resolver.resolve(Store.self)
      let screen = try resolver.resolve(Screen.self)
      return Part(
        label: "\(try store.provider().name), \(try store.lazy.value.name), \(screen.label.name)")
    }
    XCTAssertEqual(try container.resolve(PartB.self).label, "\(ofB), \(ofB), \(ofB)")
    XCTAssertEqual(try container.resolve(Store.self).provider().name, "root")
    XCTAssertEqual(try container.resolve(Store.self).lazy.value.name, ofB, "it was built once")
    XCTAssertEqual(try container.resolve(Screen.self).label.name, ofB, "and read once")
  }

  func testADecoratorAsksForWhatItDecorates() throws {
    try container.register(PartA.self) { _ in Part(label: "") }
    try container.decorate(PartA.self) { _, resolver in
      Part(label: try resolver.resolve(Label.self).name)
    }
    XCTAssertEqual(try container.resolve(PartA.self).label, ofA)
  }

  func testADecoratedOneIsToldItsRequester() throws {
    try container.decorate(Label.self) { label, _ in Label("<\(label.name)>") }
    try container.register(PartA.self) { Part(label: try $0.resolve(Label.self).name) }
    XCTAssertEqual(try container.resolve(PartA.self).label, "<\(ofA)>")
  }

  func testAnActionAsksForItsRegistration() throws {
    let seen = Locked<[String]>([])
    try container.register(PartA.self) { _ in Part(label: "") }.afterInit { resolver, _ in
      let name = try resolver.resolve(Label.self).name
      seen.withLock { $0.append(name) }
    }
    _ = try container.resolve(PartA.self)
    XCTAssertEqual(seen.withLock { $0 }, [ofA])
  }

  func testAnInjectedPropertyHasNoRequesterOutsideOfFactories() throws {
    let container = container
    XCTAssertEqual(Screen(container).label.name, "root")
    try container.register(PartA.self) { [unowned container] _ in
      Part(label: Screen(container).label.name)
    }
    XCTAssertEqual(try container.resolve(PartA.self).label, ofA)
  }

  // MARK: - Containers

  func testScopesAndChildrenAsk() throws {
    try container.register(PartA.self, scope: .scoped) {
      Part(label: try $0.resolve(Label.self).name)
    }
    try container.syncWithScope { scope in
      XCTAssertEqual(try scope.resolve(PartA.self).label, ofA)
      XCTAssertEqual(try label(scope), "root")
    }
    let child = Container(parent: container)
    try child.register(PartB.self) { Part(label: try $0.resolve(Label.self).name) }
    XCTAssertEqual(try child.resolve(PartB.self).label, ofB)
  }

  func testOneInAChildIsToldTransientsOfTheParent() throws {
    let parent = Container()
    try parent.register(PartA.self) { Part(label: try $0.resolve(Label.self).name) }
    let child = Container(parent: parent)
    try registerLabel(in: child)
    XCTAssertEqual(try child.resolve(PartA.self).label, ofA)
  }

  func testAForkHasIt() throws {
    try container.register(PartA.self) { Part(label: try $0.resolve(Label.self).name) }
    XCTAssertEqual(try container.fork().resolve(PartA.self).label, ofA)
    let base = Container()
    let fork = base.fork { _ in }
    try registerLabel(in: base)
    XCTAssertFalse(fork.registrations.contains { $0.key.product == Label.self })
  }

  func testItIsListedAndValidatedAsATransient() throws {
    try container.register(PartA.self) { Part(label: try $0.resolve(Label.self).name) }
    XCTAssertEqual(container.registrations.map(\.scope), [.transient, .transient])
    try container.validate()
    XCTAssertEqual(container.graph().registrations.count, 2)
  }

  // MARK: - Sharing

  func testASharedScopeIsRefusedAndSaysWhy() throws {
    let registration = try container.registerPerRequester(Int.self) { _, _ in 1 }
    registration.as(.singleton)
    XCTAssertThrowsError(try container.resolve(Int.self)) { error in
      XCTAssertTrue(error.is(.invalidRegistration))
      let cause = (error as? ResolutionError)?.underlyingError as? RegistrationError
      XCTAssertEqual(cause, .sharingRefusesRequester)
      XCTAssertEqual(cause?.key, registration.key)
      XCTAssertTrue("\(error)".contains("a shared instance has many requesters"), "\(error)")
    }
    registration.as(.transient)
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  func testDefaultScopeDoesNotShareIt() throws {
    let container = Container(defaultScope: .singleton)
    try registerLabel(in: container)
    XCTAssertFalse(try container.resolve(Label.self) === container.resolve(Label.self))
  }

  // MARK: - Concurrency

  func testThreadsAreNotMixedUp() throws {
    let container = container
    let names = (0..<8).map { Name("part \($0)") }
    try container.registerPerRequester(String.self) { _, requester in
      requester?.name.map { "\($0)" } ?? "root"
    }
    for name in names {
      try container.register(PartA.self, name: name) { Part(label: try $0.resolve(String.self)) }
    }
    let labels = try onThreads(8) { index in
      try Set((0..<1000).map { _ in try container.resolve(PartA.self, name: names[index]).label })
    }
    XCTAssertEqual(labels, names.map { ["\($0)"] })
    XCTAssertEqual(try container.resolve(String.self), "root")
  }
}
