// SPDX-License-Identifier: MIT

import SwinjectDialect
import TestSupport
import Testing

struct GraphTests {
  let container = Container()
  let log = EventLog()

  @Test func aGraphCoversNestedFactoriesAndCompletions() {
    container.register(Cat.self) { _ in Cat() }
    container.register(PetOwner.self) { r in PetOwner(pet: r.resolve(Cat.self)!) }
      .initCompleted { r, owner in
        #expect(r.resolve(Cat.self) === owner.pet as? Cat)
        log.add("completed")
      }
    container.register([Cat].self) { r in
      [r.resolve(Cat.self)!, r.resolve(PetOwner.self)!.pet as! Cat]
    }
    let animals = container.resolve([Cat].self)!
    #expect(animals[0] === animals[1])
    #expect(log.entries == ["completed"])
  }

  @Test func eachContainerHasAGraphOfItsOwn() {
    let parent = Container()
    parent.register(GraphIdentifier?.self, name: "parent") { r in nil }
    let child = Container(parent: parent)
    child.register([GraphIdentifier].self) { r in
      [
        r.resolve(GraphIdentifier.self)!, parent.resolve(GraphIdentifier.self)!,
        parent.resolve(GraphIdentifier.self)!,
      ]
    }
    let graphs = child.resolve([GraphIdentifier].self)!
    #expect(graphs[0] != graphs[1])
    #expect(graphs[1] == graphs[2], "the parent's graph lives as long as the child's")
    #expect(parent.resolve(GraphIdentifier.self) == nil)
  }

  @Test func theGraphOfAParentSharesWhileAChildResolves() {
    let parent = Container()
    parent.register(Cat.self) { _ in Cat() }
    let child = Container(parent: parent)
    child.register([Cat].self) { r in
      [parent.resolve(Cat.self)!, parent.resolve(Cat.self)!, r.resolve(Cat.self)!]
    }
    let cats = child.resolve([Cat].self)!
    #expect(cats[0] === cats[1])
    #expect(cats[1] !== cats[2])
  }

  @Test func theIdentifierIsKnownInFactoriesOnly() {
    #expect(container.resolve(GraphIdentifier.self) == nil)
    container.register(Set<GraphIdentifier>.self) { r in
      [r.resolve(GraphIdentifier.self)!, r.resolve(GraphIdentifier.self)!]
    }
    #expect(container.resolve(Set<GraphIdentifier>.self)?.count == 1)
    #expect(
      container.resolve(Set<GraphIdentifier>.self) != container.resolve(Set<GraphIdentifier>.self))
  }

  @Test func aRegistrationOfTheIdentifierIsUnreachable() {
    container.register(GraphIdentifier.self) { _ in
      log.add("ran")
      return Container { $0.register(Int.self) { _ in 1 } }.resolve(GraphIdentifier.self)!
    }
    #expect(container.resolve(GraphIdentifier.self) == nil)
    #expect(log.entries.isEmpty)
  }

  private func graph() -> GraphIdentifier {
    container.register(Seed.self) { r in Seed(graph: r.resolve(GraphIdentifier.self)!) }
    return container.resolve(Seed.self)!.graph
  }

  @Test func aGraphIsResumed() throws {
    container.register(Cat.self) { _ in Cat() }
    container.register(Owned.self) { r in
      Owned(graph: r.resolve(GraphIdentifier.self)!, cat: r.resolve(Cat.self)!)
    }
    let owned = try #require(container.resolve(Owned.self))
    let resumed = container.withObjectGraph(owned.graph) { $0.resolve(Cat.self) }
    #expect(resumed === owned.cat)
    #expect(container.resolve(Cat.self) !== owned.cat)
  }

  @Test func aResumedGraphFindsOnlyWhatIsHeld() {
    container.register(Cat.self) { _ in Cat() }
    let graph = graph()
    container.withObjectGraph(graph) { $0.resolve(Cat.self)!.count = 1 }
    container.withObjectGraph(graph) { #expect($0.resolve(Cat.self)?.count == 0) }
    let held = container.withObjectGraph(graph) { $0.resolve(Cat.self)! }
    container.withObjectGraph(graph) { #expect($0.resolve(Cat.self) === held) }
    container.resetObjectScope(.graph)
    container.withObjectGraph(graph) { #expect($0.resolve(Cat.self) === held, "after a reset") }
  }

  @Test func theFormerGraphIsRestored() {
    let graph = graph()
    struct Failure: Error {}
    container.register(Bool.self) { r in
      let own = r.resolve(GraphIdentifier.self)!
      let inner = container.withObjectGraph(graph) { $0.resolve(GraphIdentifier.self)! }
      #expect(inner == graph)
      #expect(throws: Failure.self) {
        try container.withObjectGraph(graph) { _ in throw Failure() }
      }
      return r.resolve(GraphIdentifier.self) == own
    }
    #expect(container.resolve(Bool.self) == true)
    #expect(container.resolve(GraphIdentifier.self) == nil)
  }

  @Test func aGraphThatIsResumedInsideHoldsItsObjectsUntilTheOutermostEnds() {
    container.register(Cat.self) { _ in Cat() }
    let graph = graph()
    container.register(Bool.self) { _ in
      container.withObjectGraph(graph) { $0.resolve(Cat.self)!.count = 3 }
      return container.withObjectGraph(graph) { $0.resolve(Cat.self)!.count == 3 }
    }
    #expect(container.resolve(Bool.self) == true)
    container.withObjectGraph(graph) { #expect($0.resolve(Cat.self)?.count == 0) }
  }

  @Test func aParentStaysInTheGraphThatItHasResumedWhileAChildResumesOne() {
    let graph = graph()
    let child = Container(parent: container)
    container.register(Bool.self) { _ in
      container.withObjectGraph(graph) { parent in
        child.withObjectGraph(graph) { _ in parent.resolve(GraphIdentifier.self) == graph }
      }
    }
    #expect(child.resolve(Bool.self) == true)
  }

  @Test func endlessNestingEndsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = Container()
      container.register(Int.self) { r in r.resolve(Int.self)! }
      _ = container.resolve(Int.self)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("Infinite recursive call for circular dependency has been detected"))
    #expect(output.contains("initCompleted"))
  }

  @Test(arguments: [200, 201]) func twoHundredLevelsAreServed(_ levels: Int) async {
    if levels == 200 {
      #expect(Self.depth(levels) == 200)
    } else {
      await #expect(processExitsWith: .failure) { _ = GraphTests.depth(201) }
    }
  }

  private static func depth(_ levels: Int) -> Int? {
    let container = Container()
    container.register(Int.self) { (r, level: Int) in
      level == 1 ? levels : r.resolve(Int.self, argument: level - 1)!
    }.inObjectScope(.transient)
    return container.resolve(Int.self, argument: levels)
  }
}

private struct Seed {
  let graph: GraphIdentifier
}

private final class Owned {
  let graph: GraphIdentifier
  let cat: Cat

  init(graph: GraphIdentifier, cat: Cat) {
    self.graph = graph
    self.cat = cat
  }
}
