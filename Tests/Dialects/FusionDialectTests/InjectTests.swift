// SPDX-License-Identifier: MIT

import FusionDialect
import XCTest

private final class Screen {
  @Inject var number: Int
  @Inject("a") var named: String
  @Inject(id: "a") var labeled: String
  @Inject(identifier: "a") var identified: String
}

private class Base {
  @Inject var number: Int
}

private final class Owner: Base, Containerized {
  let container: Container

  init(_ container: Container) {
    self.container = container
  }
}

private final class Mover: Containerized {
  var container: Container
  @Inject var number: Int

  init(_ container: Container) {
    self.container = container
  }
}

private struct Value {
  @Inject var number: Int
  @Inject("a") var named: String
}

final class InjectTests: FusionTestCase {
  func testAPropertyOfAClassIsResolvedInMain() {
    Container.bind(value: 1)
    XCTAssertEqual(Screen().number, 1)
  }

  func testAPropertyIsResolvedByItsIdentifierHoweverThatIsWritten() {
    Container.bind(id: "a", value: "text")
    let screen = Screen()
    XCTAssertEqual(screen.named, "text")
    XCTAssertEqual(screen.labeled, "text")
    XCTAssertEqual(screen.identified, "text")
  }

  func testAPropertyIsResolvedAtEachRead() {
    Container.bind(value: 1)
    let screen = Screen()
    XCTAssertEqual(screen.number, 1)
    Container.bind(value: 2)
    XCTAssertEqual(screen.number, 2)
    Container.main = Container()
    Container.bind(value: 3)
    XCTAssertEqual(screen.number, 3)
  }

  func testATransientPropertyIsAnotherValueAtEachRead() {
    Container.bind(value: Numbered())
    struct Reader { @Inject var numbered: Numbered }
    let reader = Reader()
    XCTAssertNotEqual(reader.numbered, reader.numbered)
  }

  func testStructsAndLocalVariablesAreInjected() {
    Container.bind(value: 1)
    Container.bind(id: "a", value: "text")
    let value = Value()
    XCTAssertEqual(value.number, 1)
    XCTAssertEqual(value.named, "text")
    @Inject("a") var local: String
    XCTAssertEqual(local, "text")
  }

  func testASubclassMayBeContainerized() {
    Container.bind(value: 1)
    let container = Container()
    container.bind(value: 2)
    XCTAssertEqual(Base().number, 1)
    XCTAssertEqual(Owner(container).number, 2)
    XCTAssertEqual((Owner(container) as Base).number, 2)
  }

  func testTheContainerOfAnObjectIsReadAtEachRead() {
    let (first, second) = (Container(), Container())
    first.bind(value: 1)
    second.bind(value: 2)
    let mover = Mover(first)
    XCTAssertEqual(mover.number, 1)
    mover.container = second
    XCTAssertEqual(mover.number, 2)
  }

  func testAnInjectedObjectIsResolvedInItsOwnContainersParent() {
    let parent = Container()
    parent.bind(value: 5)
    XCTAssertEqual(Mover(Container(parent: parent)).number, 5)
  }

  func testAnOptionalIDIsTheIDThatItHoldsAndNilIsNone() {
    let (number, none): (Int?, String?) = (1, nil)
    Container.bind(id: number, value: "number")
    Container.bind(id: none, value: "none")
    @Inject(number) var numbered: String
    @Inject(none) var plain: String
    @Inject(id: none) var labeled: String
    XCTAssertEqual([numbered, plain, labeled], ["number", "none", "none"])
  }
}
