// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport

/// The account of one trial: what was built, disposed of and reported.
final class Ledger: @unchecked Sendable {
  // SAFETY: the variables are only touched with the lock held.

  /// A registration. Reports name it by its line, which is different for each of the process.
  final class Registration: Sendable {
    let key: Int
    let line: UInt
    let hasDisposer: Bool
    let isScoped: Bool
    let runs = AtomicCounter()
    let actions = AtomicCounter()
    /// The number of instances that may have been let go of before it had its disposer; `.max` if
    /// it may never get it.
    let undeclared = AtomicCounter()

    fileprivate init(_ key: Int, _ line: UInt, hasDisposer: Bool, isScoped: Bool) {
      self.key = key
      self.line = line
      self.isScoped = isScoped
      self.hasDisposer = hasDisposer
    }
  }

  /// An instance, which it does not keep.
  final class Entry: Sendable {
    let registration: Registration
    let disposals = AtomicCounter()
    /// 1 when its action has failed: it has never been published.
    let failures = AtomicCounter()

    init(_ registration: Registration) {
      self.registration = registration
    }
  }

  let alive = AtomicCounter()
  private let lock = NSLock()
  private var registrations: [Registration] = []
  private var entries: [Entry] = []
  private var reports: [UInt: Int] = [:]

  func register(_ key: Int, hasDisposer: Bool, isScoped: Bool) -> Registration {
    let line = Reports.shared.nextLine(for: self)
    let registration = Registration(key, line, hasDisposer: hasDisposer, isScoped: isScoped)
    lock.withLock { registrations.append(registration) }
    return registration
  }

  func add(_ entry: Entry) {
    lock.withLock { entries.append(entry) }
  }

  fileprivate func noteReport(of line: UInt) {
    lock.withLock { reports[line, default: 0] += 1 }
  }

  /// Forgets its lines.
  func end() {
    Reports.shared.forget(lock.withLock { registrations.map(\.line) })
  }

  // MARK: - Oracle

  /// What does not add up when all containers have ended.
  ///
  /// Each instance with a disposer has been disposed of once, or reported once, unless its action
  /// has failed. Reports name registrations and not instances, so that those are counted for each
  /// registration.
  var problems: [String] {
    let (registrations, entries, reports) = lock.withLock {
      (self.registrations, self.entries, self.reports)
    }
    var problems: [String] = []
    for registration in registrations {
      let own = entries.filter { $0.registration === registration }
      let name = "k\(registration.key) (registration \(registration.line))"
      for entry in own {
        if entry.disposals.value > 1 {
          problems.append("an instance of \(name) was disposed of \(entry.disposals.value) times")
        }
        if entry.disposals.value > 0, entry.failures.value > 0 {
          problems.append("an instance of \(name) was disposed of, and its action had failed")
        }
      }
      let published = registration.hasDisposer ? own.filter { $0.failures.value == 0 } : []
      let disposed = published.count { $0.disposals.value > 0 }
      let reported = reports[registration.line] ?? 0
      let lost = published.count - disposed - reported
      // A request scope that is dropped reports what it has, with disposers or without.
      let free = registration.isScoped && !registration.hasDisposer ? own.count : 0
      if lost < -free || lost > registration.undeclared.value {
        problems.append(
          "\(name): \(own.count) built, of which \(own.count - published.count) need no account, "
            + "\(disposed) disposed of, \(reported) reported: "
            + (lost > 0 ? "\(lost) lost" : "\(-lost) counted twice"))
      }
    }
    if alive.value > 0 { problems.append("\(alive.value) instances are still alive") }
    return problems
  }

  /// How many instances were accounted for.
  var counts: (built: Int, disposed: Int, reported: Int) {
    lock.withLock {
      (
        entries.count, entries.count { $0.disposals.value > 0 },
        reports.values.reduce(0, +)
      )
    }
  }
}

/// The reports of the process, on their way to the ledger that they belong to.
final class Reports: @unchecked Sendable {
  // SAFETY: the variables are only touched with the lock held.
  static let shared = Reports()
  static let file: StaticString = "Accounts/Account.swift"

  private let lock = NSLock()
  private var lines: UInt = 0
  private var ledgers: [UInt: Ledger] = [:]

  private init() {}

  /// Listens to the process.
  func listen() {
    Container.onUndisposed = { report in
      for instance in report.instances { self.ledger(of: instance.location.line) }
    }
  }

  private func ledger(of line: UInt) {
    lock.withLock { ledgers[line] }?.noteReport(of: line)
  }

  fileprivate func nextLine(for ledger: Ledger) -> UInt {
    lock.withLock {
      lines += 1
      ledgers[lines] = ledger
      return lines
    }
  }

  fileprivate func forget(_ lines: [UInt]) {
    lock.withLock { for line in lines { ledgers[line] = nil } }
  }
}
