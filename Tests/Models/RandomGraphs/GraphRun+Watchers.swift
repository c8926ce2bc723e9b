// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport

/// A behavior of a container of the run, and what the behavior was told.
final class Watcher: Behavior {
  enum Event: Int, CaseIterable {
    case built, resolved, failed, disposed
  }

  let description: WatcherDescription
  /// What the oracle checks the behavior against.
  let expected: WatcherDescription
  /// For each event and service.
  private let counts: [[AtomicCounter]]
  private let asks = AtomicCounter()
  /// Weak: the run holds the container, which holds the behavior.
  private let run: WeakRun

  private struct WeakRun: Sendable {
    weak let run: GraphRun?
  }

  init(_ description: WatcherDescription, checkedAs expected: WatcherDescription, of run: GraphRun)
  {
    self.description = description
    self.expected = expected
    self.run = WeakRun(run: run)
    counts = Event.allCases.map { _ in run.graph.services.map { _ in AtomicCounter() } }
  }

  func count(of event: Event, _ service: Int) -> Int { counts[event.rawValue][service].value }

  var events: BehaviorEvents { description.events.reported }

  var measuresTimes: Bool { description.isTimed }

  func didBuild(_ key: RegistrationKey, in duration: Duration, container: Container) {
    note(.built, key, container)
    if !description.isTimed, duration != .zero {
      run.run?.report(.watching, "a behavior that reads no times was told \(duration)")
    }
  }

  func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container) {
    note(.resolved, key, container)
  }

  func didFail(_ key: RegistrationKey, with error: ResolutionError, in container: Container) {
    note(.failed, key, nil)
  }

  func didDispose(_ key: RegistrationKey) { note(.disposed, key, nil) }

  private func note(_ event: Event, _ key: RegistrationKey, _ container: Container?) {
    guard let run = run.run, let service = run.service(with: key) else { return }
    counts[event.rawValue][service].add()
    if let container, run.index(of: container) != description.container {
      run.report(
        .watching,
        "a behavior of c\(description.container) was told of s\(service) in another container")
    }
    if let target = description.target, asks.add() <= GraphDescription.asksAtMost {
      run.begin()
      defer { run.end() }
      _ = try? run.containers[description.container].resolve(
        Product.self, name: run.names[target])
    }
  }
}

extension WatcherDescription.Events {
  fileprivate var reported: BehaviorEvents {
    switch self {
    case .all: .all
    case .constructions: .construction
    case .resolves: .resolution
    case .ends: [.failure, .disposal]
    }
  }
}

extension GraphRun {
  /// Adds the behaviors that are there before the callers.
  func addWatchers(_ isIncluded: (Int) -> Bool) {
    for (index, watcher) in watchers.enumerated()
    where watcher.description.after == nil && isIncluded(index) { add(watcher) }
  }

  func add(_ watcher: Watcher) { containers[watcher.description.container].add(watcher) }

  /// Waits until the behaviors that hear of all constructions have been told of them: a factory has
  /// returned a moment before.
  func waitForWatchers(_ patience: TimeInterval) {
    let deadline = Date(timeIntervalSinceNow: patience)
    while watchers.contains(where: missesConstruction), Date() < deadline { usleep(20) }
  }

  /// Whether a behavior has not been told of all constructions.
  private func missesConstruction(_ watcher: Watcher) -> Bool {
    hearsAll(.construction, watcher.expected)
      && graph.services.indices.contains {
        isWatched($0, by: watcher) && watcher.count(of: .built, $0) < returns(of: $0)
      }
  }

  /// Whether a behavior is to be told of all these events: the resolves of behaviors cause no
  /// events.
  func hearsAll(_ reported: BehaviorEvents, _ watcher: WatcherDescription) -> Bool {
    watcher.after == nil && watcher.events.reported.contains(reported)
      && expected.watchers.allSatisfy { $0.target == nil }
  }

  func isWatched(_ service: Int, by watcher: Watcher) -> Bool {
    let service = expected.services[service]
    return service.lifetime != .forward && service.container == watcher.expected.container
  }

  func returns(of service: Int) -> Int { tallies[service].reduce(0) { $0 + $1[.returned] } }
}

extension GraphDescription {
  /// How often a behavior of a run resolves a service.
  static var asksAtMost: Int { 4 }
}
