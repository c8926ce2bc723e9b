// SPDX-License-Identifier: MIT

import Foundation
public import TestSupport

/// A small container behind a mutex, which may be given one of the faults that such code has.
///
/// Without a fault it shows that the check accepts what is right, with one that it finds what is
/// wrong.
public final class ModelSubject: HistorySubject {
  public enum Fault: Sendable, CaseIterable {
    /// The mutex is given up between the look for an instance and its construction.
    case buildsTwice
    /// As the above, and the instance is kept for whatever is registered by then.
    case keepsInstanceOfReplaced
    /// An override leaves the instance in place for those that have looked the key up before.
    case servesInstanceOfReplaced
    /// A look at what is registered, and a decision that is made later.
    case registersTwice
    /// A release beside another one, or beside an override, answers what it found at first.
    case releasesTwice
    /// A removal beside a registration takes that away without an answer to it.
    case losesRegistration
  }

  private struct Entry {
    var registration: HistoryScript.Registration
    var isOverridable: Bool
    var pause: HistoryScript.Pause
    var instance: HistoryInstance?
  }

  private let entries = Locked<[Entry?]>(Array(repeating: nil, count: HistoryScript.keys))
  private let fault: Fault?
  private let factories: HistoryFactories

  public init(_ fault: Fault?, _ tracker: LifetimeTracker) {
    self.fault = fault
    factories = HistoryFactories(tracker)
  }

  public var built: Int { factories.count }

  public func perform(_ operation: HistoryScript.Operation) -> HistoryEvent.Outcome {
    let key = operation.key
    switch operation.kind {
    case .register(let registration):
      return .answer(register(registration, operation, isOverridable: false))
    case .override(let registration):
      return .answer(register(registration, operation, isOverridable: true))
    case .unregister:
      return .answer(unregister(key))
    case .contains:
      return .answer(entries.withLock { $0[key] != nil })
    case .release:
      return .answer(release(key))
    case .resolve:
      return .instance(resolve(key))
    }
  }

  // MARK: - Operations

  /// Where the fault lies, the mutex is given up and others come in between.
  private func interrupt(for faults: Fault...) -> Bool {
    guard let fault, faults.contains(fault) else { return false }
    sched_yield()
    return true
  }

  private func register(
    _ registration: HistoryScript.Registration, _ operation: HistoryScript.Operation,
    isOverridable: Bool
  ) -> Bool {
    let key = operation.key
    let entry = Entry(
      registration: registration, isOverridable: isOverridable, pause: operation.pauses.inside)
    func mayRegister(beside existing: Entry?) -> Bool {
      existing.map { $0.isOverridable && isOverridable } ?? true
    }
    if fault == .registersTwice {
      guard entries.withLock({ mayRegister(beside: $0[key]) }) else { return false }
      sched_yield()
      entries.withLock { $0[key] = entry }
      return true
    }
    return entries.withLock { entries in
      guard mayRegister(beside: entries[key]) else { return false }
      entries[key] = entry
      return true
    }
  }

  private func unregister(_ key: Int) -> Bool {
    let found = entries.withLock { $0[key] != nil }
    if interrupt(for: .losesRegistration) {
      entries.withLock { $0[key] = nil }
      return found
    }
    return entries.withLock { entries in
      defer { entries[key] = nil }
      return entries[key] != nil
    }
  }

  private func release(_ key: Int) -> Bool {
    let found = entries.withLock { $0[key]?.instance != nil }
    if interrupt(for: .releasesTwice) {
      entries.withLock { $0[key]?.instance = nil }
      return found
    }
    return entries.withLock { entries in
      defer { entries[key]?.instance = nil }
      return entries[key]?.instance != nil
    }
  }

  private func resolve(_ key: Int) -> HistoryInstance? {
    guard let found = entries.withLock({ $0[key] }) else { return nil }
    let (number, isShared) = (found.registration.number, found.registration.lifetime.isShared)
    if interrupt(for: .servesInstanceOfReplaced), let stale = found.instance {
      entries.withLock { $0[key]?.instance = isShared ? stale : nil }
      return stale
    }
    if interrupt(for: .buildsTwice, .keepsInstanceOfReplaced), isShared {
      if let instance = found.instance { return instance }
      let built = factories.build(number, found.pause)
      return entries.withLock { entries in
        if fault == .buildsTwice {
          guard entries[key]?.registration == found.registration else { return built }
          // The second one built is thrown away, as a cache that is filled by whoever comes first
          // does.
          if let first = entries[key]?.instance { return first }
        }
        entries[key]?.instance = built
        return built
      }
    }
    return entries.withLock { entries in
      guard let current = entries[key] else { return nil }
      if let instance = current.instance { return instance }
      let built = factories.build(current.registration.number, current.pause)
      if current.registration.lifetime.isShared { entries[key]?.instance = built }
      return built
    }
  }
}
