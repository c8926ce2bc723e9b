// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import XCTest

@testable import Corinth

/// What keeps a container is found beside threads that hold back the deinits of registrations.
final class ContainerKeepersTests: StressTestCase {
  private final class Engine: Sendable {
    let container: Container?
    init(_ container: Container?) { self.container = container }
  }

  /// The names of the parts that keep a container filled by `register`, which another thread's
  /// section holds back for longer than a thousand attempts at reclamation take.
  private func keepers(
    _ register: (Container) throws -> Void
  ) throws -> [ContainerKeeper.Part] {
    func makeEnd() throws -> ContainerEnd {
      let container = Container()
      try register(container)
      return ContainerEnd(of: container)
    }
    let end = try makeEnd()
    let isInSection = Gate()
    let reader = JoinableThread {
      let section = Section.enter()
      isInSection.open()
      Thread.sleep(forTimeInterval: 0.2)
      section.leave()
    }
    isInSection.wait()
    let keepers = end.findKeepers()
    try reader.join().get()
    return keepers.map(\.part)
  }

  /// The search gave up after a number of attempts, which a busy machine makes while another thread
  /// stands still in its section: nothing was said to keep the container.
  func testAFactoryIsFoundBesideAThreadInASection() throws {
    let found = try keepers { container in
      try container.register(Int.self) { _ in try container.resolve(Int.self) }
    }
    XCTAssertEqual(found, [.factory])
  }

  func testAnInstanceIsFoundBesideAThreadInASection() throws {
    let found = try keepers { container in
      try container.register(Engine.self, scope: .singleton) { _ in Engine(Container.current) }
      _ = try container.withCurrent { try container.resolve(Engine.self) }
    }
    XCTAssertEqual(found, [.instance])
  }

  func testADecoratorIsFoundBesideAThreadInASection() throws {
    let found = try keepers { container in
      try container.register(Int.self) { _ in 1 }
      try container.decorate(Int.self) { try $0 + $1.resolve(Int.self, name: "\(container)") }
    }
    XCTAssertEqual(found, [.decorator])
  }
}
