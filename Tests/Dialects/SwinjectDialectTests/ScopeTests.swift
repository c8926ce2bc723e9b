// SPDX-License-Identifier: MIT

import SwinjectDialect
import Testing

extension ObjectScope {
  fileprivate static let custom = ObjectScope(
    storageFactory: PermanentStorage.init, description: "custom")
}

private final class CountingStorage: InstanceStorage {
  var instance: Any?
  var completions = 0

  func graphResolutionCompleted() { completions += 1 }
}

private final class CountingScope: ObjectScopeProtocol {
  var storages: [CountingStorage] = []

  func makeStorage() -> any InstanceStorage {
    let storage = CountingStorage()
    storages.append(storage)
    return storage
  }
}

struct ScopeTests {
  let container = Container()
  let runs = Runs()

  private func pair(_ scope: ObjectScope) -> (Cat, Cat, Cat) {
    container.register(Cat.self) { _ in
      runs.count += 1
      return Cat()
    }.inObjectScope(scope)
    container.register([Cat].self) { r in [r.resolve(Cat.self)!, r.resolve(Cat.self)!] }
    let cats = container.resolve([Cat].self)!
    return (cats[0], cats[1], container.resolve(Cat.self)!)
  }

  @Test func transientMakesANewInstanceEachTime() {
    let (first, second, third) = pair(.transient)
    #expect(first !== second && second !== third)
    #expect(runs.count == 3)
  }

  @Test func graphSharesWithinOneResolve() {
    let (first, second, third) = pair(.graph)
    #expect(first === second)
    #expect(second !== third)
  }

  @Test func graphIsTheDefault() {
    container.register(Cat.self) { _ in Cat() }
    container.register([Cat].self) { r in [r.resolve(Cat.self)!, r.resolve(Cat.self)!] }
    let cats = container.resolve([Cat].self)!
    #expect(cats[0] === cats[1])
    #expect(container.resolve(Cat.self) !== container.resolve(Cat.self))
  }

  @Test func containerSharesAll() {
    let (first, second, third) = pair(.container)
    #expect(first === second && second === third)
    #expect(runs.count == 1)
  }

  @Test func weakSharesAsLongAsItIsUsed() {
    container.register(Cat.self) { _ in Cat() }.inObjectScope(.weak)
    var cat = container.resolve(Cat.self)
    #expect(container.resolve(Cat.self) === cat)
    cat?.count = 7
    cat = nil
    #expect(container.resolve(Cat.self)?.count == 0)
  }

  @Test func weakIsHeldByItsGraph() {
    container.register(Cat.self) { _ in Cat() }.inObjectScope(.weak)
    container.register(Bool.self) { r in
      r.resolve(Cat.self)!.count = 7
      return r.resolve(Cat.self)!.count == 7
    }
    #expect(container.resolve(Bool.self) == true)
  }

  @Test func aContainerHasADefaultScopeThatChildrenDoNotInherit() {
    let parent = Container(defaultObjectScope: .container)
    parent.register(Cat.self) { _ in Cat() }
    #expect(parent.resolve(Cat.self) === parent.resolve(Cat.self))
    let child = Container(parent: parent)
    child.register(Dog.self) { _ in Dog() }
    #expect(child.resolve(Dog.self) !== child.resolve(Dog.self))
  }

  @Test func theViewCopiesTheDefaultScope() throws {
    let container = Container(defaultObjectScope: .container)
    let view = try #require(container.synchronize() as? Container)
    view.register(Cat.self) { _ in Cat() }
    #expect(view.resolve(Cat.self) === view.resolve(Cat.self))
  }

  @Test func theStorageIsMadeAtFirstUse() {
    let entry = container.register(Cat.self) { _ in Cat() }
    entry.inObjectScope(.container)
    let cat = container.resolve(Cat.self)
    entry.inObjectScope(.transient)
    #expect(container.resolve(Cat.self) === cat, "it is shared as before")
    container.resetObjectScope(.container)
    #expect(container.resolve(Cat.self) === cat, "but belongs to the other scope")
    container.resetObjectScope(.transient)
    #expect(container.resolve(Cat.self) !== cat)
  }

  @Test func aContainerKeepsValuesToo() {
    container.register(String.self) { _ in
      runs.count += 1
      return "made"
    }.inObjectScope(.container)
    #expect(container.resolve(String.self) == "made")
    #expect(container.resolve(String.self) == "made")
    #expect(runs.count == 1)
  }

  @Test(arguments: [ObjectScope.graph, .weak]) func valuesAreRemadeWithinAGraph(
    _ scope: ObjectScope
  ) {
    container.register(String.self) { _ in
      runs.count += 1
      return "made"
    }.inObjectScope(scope)
    container.register(Bool.self) { r in r.resolve(String.self) == r.resolve(String.self) }
    #expect(container.resolve(Bool.self) == true)
    #expect(runs.count == 2)
  }

  @Test func numbersAreSharedWithinAGraphAndByWeak() {
    container.register(Int.self) { _ in
      runs.count += 1
      return runs.count
    }
    container.register([Int].self) { r in [r.resolve(Int.self)!, r.resolve(Int.self)!] }
    #expect(container.resolve([Int].self) == [1, 1])
    #expect(container.resolve([Int].self) == [2, 2])
    container.register(Double.self) { _ in
      runs.count += 1
      return Double(runs.count)
    }.inObjectScope(.weak)
    #expect(container.resolve(Double.self) == 3)
    #expect(container.resolve(Double.self) == 3)
  }

  @Test(arguments: [ObjectScope.graph, .weak]) func anOptionalIsSharedAsItsValueIs(
    _ scope: ObjectScope
  ) {
    container.register(Cat?.self) { _ in Cat() }.inObjectScope(scope)
    container.register(Int?.self) { _ in
      runs.count += 1
      return nil
    }.inObjectScope(scope)
    container.register(Bool.self) { r in
      r.resolve(Cat?.self)! === r.resolve(Cat?.self)!
        && r.resolve(Int?.self)! == r.resolve(Int?.self)!
    }
    #expect(container.resolve(Bool.self) == true)
    #expect(runs.count == 1, "a missing value is one, too")
  }

  @Test func aStorageIsToldWhenTheOutermostResolveEnds() {
    let scope = CountingScope()
    container.register(Cat.self) { _ in Cat() }.inObjectScope(scope)
    container.register(Int.self) { r in
      let graph = r.resolve(GraphIdentifier.self)!
      container.withObjectGraph(graph) { #expect($0.resolve(Cat.self) != nil) }
      return scope.storages[0].completions
    }
    #expect(container.resolve(Int.self) == 0, "not when the graph is left")
    #expect(scope.storages[0].completions == 1)
  }

  @Test func aCustomScopeIsResetAlone() {
    container.register(Cat.self) { _ in Cat() }.inObjectScope(.custom)
    container.register(Dog.self) { _ in Dog() }.inObjectScope(.container)
    let (cat, dog) = (container.resolve(Cat.self), container.resolve(Dog.self))
    #expect(container.resolve(Cat.self) === cat)
    container.resetObjectScope(.custom)
    #expect(container.resolve(Cat.self) !== cat)
    #expect(container.resolve(Dog.self) === dog)
  }

  @Test func aScopeOfAnotherTypeMakesTheStorages() {
    let scope = CountingScope()
    container.register(Cat.self) { _ in Cat() }.inObjectScope(scope)
    container.register([Cat].self) { r in [r.resolve(Cat.self)!, r.resolve(Cat.self)!] }
    let cats = container.resolve([Cat].self)!
    #expect(cats[0] === cats[1])
    #expect(container.resolve(Cat.self) === cats[0])
    #expect(scope.storages.count == 1)
    #expect(scope.storages[0].instance as? Cat === cats[0])
    #expect(scope.storages[0].completions == 1, "told of the one resolve that has stored")
    container.resetObjectScope(scope)
    #expect(scope.storages[0].instance == nil)
  }

  /// As in Swinject, where a storage that its scope hands out again may have an instance before the
  /// first resolve.
  @Test func aResetReachesServicesThatWereNeverResolved() {
    let storage = PermanentStorage()
    storage.instance = Cat()
    let scope = ObjectScope(storageFactory: { storage })
    let entry = container.register(Cat.self) { _ in Cat() }.inObjectScope(scope)
    container.resetObjectScope(scope, serviceType: Dog.self)
    #expect(storage.instance != nil)
    Container(parent: container).resetObjectScope(scope)
    #expect(storage.instance == nil)
    entry.inObjectScope(.transient)
    #expect(container.resolve(Cat.self) === container.resolve(Cat.self), "it has its storage")
  }

  @Test func theStorageOfAParentScopeComesBehindTheOwnOne() {
    let outer = CountingScope()
    let scope = ObjectScope(
      storageFactory: TransientStorage.init, description: "inner", parent: outer)
    container.register(Cat.self) { _ in Cat() }.inObjectScope(scope)
    let cat = container.resolve(Cat.self)
    #expect(container.resolve(Cat.self) === cat)
    #expect(outer.storages[0].instance as? Cat === cat)
    #expect(scope.description == "inner")
    #expect(scope.makeStorage() is CompositeStorage)
  }

  @Test func storagesMayBeUsedAlone() {
    let cat = Cat()
    let (permanent, transient, weak, graph) = (
      PermanentStorage(), TransientStorage(), WeakStorage(), GraphStorage()
    )
    for storage in [permanent, transient, weak, graph] as [any InstanceStorage] {
      storage.instance = cat
    }
    #expect(permanent.instance as? Cat === cat)
    #expect(transient.instance == nil)
    #expect(weak.instance as? Cat === cat)
    #expect(graph.instance as? Cat === cat)
    graph.graphResolutionCompleted()
    #expect(graph.instance == nil)
    let composite = CompositeStorage([transient, permanent])
    #expect(composite.instance as? Cat === cat)
    composite.instance = nil
    #expect(permanent.instance == nil)
  }

  /// A composite that asked twice ended the program when the instance of a weak storage was gone at
  /// the second time.
  @Test func aCompositeAsksEachStorageOnce() throws {
    final class Vanishing: InstanceStorage {
      private var asked = 0
      var instance: Any? {
        get {
          asked += 1
          return asked == 1 ? Cat() : nil
        }
        set {}
      }
    }
    #expect(CompositeStorage([TransientStorage(), Vanishing()]).instance is Cat)
    container.register(Optional<GraphIdentifier>.self) { r in r.resolve(GraphIdentifier.self) }
    let graph = try #require(container.resolve(Optional<GraphIdentifier>.self) ?? nil)
    #expect(CompositeStorage([TransientStorage(), Vanishing()]).instance(inGraph: graph) is Cat)
  }

  @Test func builtInScopesDescribeThemselves() {
    let scopes: [ObjectScope] = [.transient, .graph, .container, .weak]
    #expect(scopes.map(\.description) == ["transient", "graph", "container", "weak"])
  }

  @Test func resetByTypeLeavesOtherTypesAlone() {
    container.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
    container.register(Cat.self, name: "a") { _ in Cat() }.inObjectScope(.container)
    container.register(Dog.self) { _ in Dog() }.inObjectScope(.container)
      .implements(Animal.self)
    let (cat, named, dog) = (
      container.resolve(Cat.self), container.resolve(Cat.self, name: "a"),
      container.resolve(Dog.self)
    )
    container.resetObjectScope(.container, serviceType: Cat.self)
    #expect(container.resolve(Cat.self) !== cat)
    #expect(container.resolve(Cat.self, name: "a") !== named)
    #expect(container.resolve(Dog.self) === dog)
    container.resetObjectScope(.container, serviceType: Animal.self)
    #expect(container.resolve(Dog.self) !== dog, "an alias is a key of its type")
  }
}
