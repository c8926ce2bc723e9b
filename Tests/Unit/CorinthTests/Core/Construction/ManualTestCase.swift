// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// A test that takes the steps of constructions by hand. When it ends, none of them may be left.
class ManualTestCase: ContainerTestCase {
  let tracker = LifetimeTracker()
  private var begun: [ManualConstruction] = []
  private var constructions: [WeakReference] = []

  private struct WeakReference {
    weak var construction: Construction?
  }

  /// Registers a singleton, and begins its construction in place of a resolve.
  func begin(
    _ name: Name, requestedBy requester: ResolutionContext? = nil, isAsynchronous: Bool = false,
    afterInit action: (@Sendable (Resolver) throws -> Void)? = nil
  ) throws -> ManualConstruction {
    if isAsynchronous {
      try container.registerAsync(Tracked.self, name: name, scope: .singleton) { [tracker] _ in
        tracker.make()
      }
    } else {
      let registration = try container.register(Tracked.self, name: name, scope: .singleton) {
        [tracker] _ in tracker.make()
      }
      if let action { registration.afterInit { resolver, _ in try action(resolver) } }
    }
    let slot = try XCTUnwrap(
      container.registry.registeredSlot(of: RegistrationKey(product: Tracked.self, name: name)))
    let manual = try ManualConstruction(
      of: slot, in: container.registry, requestedBy: requester)
    begun.append(manual)
    constructions.append(WeakReference(construction: manual.construction))
    return manual
  }

  /// The same with an instance that can be got early.
  func beginExposed(_ name: Name) throws -> ManualConstruction {
    let manual = try begin(name)
    try manual.expose(tracker.make())
    return manual
  }

  override func tearDown() {
    // Those that are held or postponed end with others.
    for manual in begun where !manual.construction.isFinished && manual.links.phase.isRunning {
      manual.fail()
    }
    begun = []
    super.tearDown()
    settleReclamation()
    XCTAssertEqual(constructions.count { $0.construction != nil }, 0, "constructions are left")
    XCTAssertEqual(tracker.alive, 0, "instances are left")
    constructions = []
  }
}

extension ConstructionPhase {
  /// Whether the owner still runs the factory or actions.
  fileprivate var isRunning: Bool {
    switch self {
    case .building, .initializing: true
    case .postponed, .held, .publishing, .ended: false
    }
  }
}
