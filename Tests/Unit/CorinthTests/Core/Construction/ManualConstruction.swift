// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// A construction whose steps a test takes, in place of a factory and its actions.
///
/// One thread can have any number of them under way, and so take the steps of many threads in one
/// order.
final class ManualConstruction {
  let record: RegistrationRecord
  let construction: Construction
  private let slot: SlotReference
  private(set) var instance: UnpublishedInstance?

  /// Claims the state of a singleton. Nested in what the thread is running, and in `requester`.
  init(
    of slot: SlotReference, in core: ContainerCore, requestedBy requester: ResolutionContext? = nil
  ) throws {
    self.slot = slot
    record = try XCTUnwrap(slot.registration)
    construction = Construction.begun(of: record, in: core, requestedBy: requester)
    XCTAssertTrue(unsafe record.claim(Unmanaged.passRetained(construction), replacing: .empty))
    unsafe construction.own(.state(record), replacing: nil)
  }

  var key: RegistrationKey { record.key }
  var links: ConstructionLinks { construction.links }
  var isPublished: Bool { record.isBuilt }

  /// Runs `body` as the thread does that builds.
  func inside<Result>(_ body: () throws -> Result) rethrows -> Result {
    try construction.whileRunning(body)
  }

  /// The factory returns an instance, which can be got early from now on.
  func expose(_ product: Tracked) throws {
    WaitForGraph.expose(try returnInstance(product))
  }

  /// The factory returns an instance.
  @discardableResult
  func returnInstance(_ product: Tracked) throws -> UnpublishedInstance {
    let instance = try UnpublishedInstance(
      taking: InstanceBox(product), of: record, builtBy: construction, in: slot, arguments: nil)
    self.instance = instance
    return instance
  }

  /// The actions of an exposed instance end.
  ///
  /// - Returns: whether the instance has been published.
  @discardableResult
  func finish() throws -> Bool {
    try WaitForGraph.finishWork(on: XCTUnwrap(instance))
  }

  /// The factory or an action throws.
  ///
  /// - Returns: what the caller gets; `nil` if it retries.
  @discardableResult
  func fail(_ error: any Error = FixtureError("refused")) -> ResolutionError? {
    construction.markLinked()
    return construction.fail(record, error)
  }

  /// A resolve inside of this one.
  func resolve(_ other: ManualConstruction) -> ManualResolve {
    inside { ManualResolve(of: other) }
  }
}

/// A resolve that finds a construction under way, and does what its thread would do, but does not
/// block.
final class ManualResolve {
  /// What has become of it.
  enum Verdict: Equatable {
    case waiting, retry, instance, abandoned, cancelled
    case cycle([RegistrationKey])
    case failed(RegistrationKey)
  }

  let wait: Wait
  private(set) var box: AnyInstanceBox?
  private var concluded: Verdict?

  /// - Parameters:
  ///   - requester: the context whose resolver is asked, if it is not the one that the thread is
  ///     running.
  ///   - begun: the construction that the caller has begun, if any.
  init(
    of target: ManualConstruction, requestedBy requester: ResolutionContext? = nil,
    begun: Construction? = nil
  ) {
    let wait = Wait(requestedBy: requester, after: EarlierAttempts(begun: begun))
    self.wait = wait
    let decision = WaitForGraph.withLock { resumed in
      let decision = WaitForGraph.decide(on: .state(target.record), wait, &resumed)
      if case .wait(let target) = decision { wait.begin(for: target, .thread(Latch()), &resumed) }
      return decision
    }
    if case .conclude(let outcome) = decision { conclude(outcome) }
  }

  var verdict: Verdict {
    if let concluded { return concluded }
    return wait.target == nil ? conclude(wait.takeOutcome()) : .waiting
  }

  @discardableResult
  private func conclude(_ outcome: Wait.Outcome) -> Verdict {
    let verdict: Verdict
    switch outcome {
    case .retry, .retryOnce, .passedToTask: verdict = .retry
    case .instance(let box):
      verdict = .instance
      self.box = box
    case .cycle(let keys): verdict = .cycle(keys)
    case .abandoned: verdict = .abandoned
    case .cancelled: verdict = .cancelled
    case .refused(let key): verdict = .failed(key)
    case .failed(let error): verdict = .failed(error.key)
    }
    concluded = verdict
    return verdict
  }
}

extension ConstructionPhase {
  var name: String {
    switch self {
    case .building: "building"
    case .initializing: "initializing"
    case .postponed: "postponed"
    case .held: "held"
    case .publishing: "publishing"
    case .ended: "ended"
    }
  }
}
