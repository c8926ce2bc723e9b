// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth
import Foundation
import Synchronization

/// Overrides a registration as fast as possible, beside threads that read the registration.
enum OverrideRun {
  /// The threads beside the overriding thread.
  enum Company: String, CaseIterable, Codable, Sendable {
    case alone
    case reader = "a running reader"
    case idle = "1,000 idle threads"
    case sleeper = "a reader that sleeps"

    /// A sleeping reader holds everything back.
    func count(of count: Int) -> Int { self == .sleeper ? max(1, count / 10) : count }
  }

  struct Outcome: Codable, Sendable {
    /// For one override.
    let nanoseconds: Double
    /// Replaced registrations that were not destroyed yet, at most.
    let mostWaiting: Int
    /// From the last override, or the end of the sleep, until all that were replaced are destroyed;
    /// `nil` if that takes more than ten seconds.
    let millisecondsUntilLast: Double?
  }

  static func run(_ count: Int, beside company: Company) throws -> Outcome {
    let container = Container()
    let tokens = Tokens()
    let register: @Sendable () throws -> Void = {
      let token = Token(tokens)
      try container.register(Product.self) { _ in Product(token) }
    }
    try register()
    let others = Others(company, of: container)
    defer { others.end() }

    var most = 0
    let begin = monotonicNanoseconds()
    for _ in 0..<count {
      try register()
      most = max(most, tokens.waiting)
    }
    let end = monotonicNanoseconds()
    if company == .sleeper { others.end() }
    let last = monotonicNanoseconds()
    while tokens.waiting > 0, monotonicNanoseconds() - last < 10_000_000_000 { usleep(100) }
    return Outcome(
      nanoseconds: Double(end - begin) / Double(count), mostWaiting: most,
      millisecondsUntilLast: tokens.waiting > 0
        ? nil : Double(monotonicNanoseconds() - last) / 1e6)
  }
}

/// How many registrations there are.
private final class Tokens: Sendable {
  let made = Atomic(0)
  let destroyed = Atomic(0)

  /// All tokens but the token in use.
  var waiting: Int {
    let destroyed = destroyed.load(ordering: .acquiring)
    return made.load(ordering: .acquiring) - destroyed - 1
  }
}

/// Lives as long as the registration whose factory holds the object.
private final class Token: Sendable {
  let tokens: Tokens

  init(_ tokens: Tokens) {
    self.tokens = tokens
    tokens.made.add(1, ordering: .acquiringAndReleasing)
  }

  deinit { tokens.destroyed.add(1, ordering: .acquiringAndReleasing) }
}

private final class Product: Sendable {
  /// The factory does not return the token itself, which would live longer than the registration.
  init(_ token: Token) { blackHole(token) }
}

/// Built for as long as the run says.
private struct Sleep: Sendable {}

/// The threads beside the overrides; every thread has resolved before the overrides begin.
private final class Others: Sendable {
  private let isOver = Atomic(false)
  /// The end of the run, for threads that sleep.
  private let over = DispatchSemaphore(value: 0)
  private let begun = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let running: Mutex<Int>

  init(_ company: OverrideRun.Company, of container: Container) {
    let count =
      switch company {
      case .alone: 0
      case .reader, .sleeper: 1
      case .idle: 1_000
      }
    running = Mutex(count)
    for _ in 0..<count {
      let thread = Thread { [self] in
        run(company, container)
        ended.signal()
      }
      thread.stackSize = 1 << 16
      thread.start()
    }
    for _ in 0..<count { begun.wait() }
  }

  private func run(_ company: OverrideRun.Company, _ container: Container) {
    do {
      switch company {
      case .alone: break
      case .reader:
        blackHole(try container.resolve(Product.self))
        begun.signal()
        while !isOver.load(ordering: .relaxed) { blackHole(try container.resolve(Product.self)) }
      case .idle:
        blackHole(try container.resolve(Product.self))
        begun.signal()
        over.wait()
      case .sleeper:
        let container = Container()
        try container.register(Sleep.self) { _ in
          self.begun.signal()
          self.over.wait()
          return Sleep()
        }
        blackHole(try container.resolve(Sleep.self))
      }
    } catch {
      fail("A resolve failed: \(error)")
    }
  }

  func end() {
    isOver.store(true, ordering: .relaxed)
    let count = running.withLock { running in
      defer { running = 0 }
      return running
    }
    for _ in 0..<count { over.signal() }
    for _ in 0..<count { ended.wait() }
  }
}
