// SPDX-License-Identifier: MIT

import Corinth

/// An object that a factory holds. It goes with the registration, wherever the container lets go of
/// that, and uses the container then: with keys that the history does not judge.
final class HistoryFarewell: Sendable {
  private final class Aide: Sendable {}

  // Weak: the container holds the factory.
  private weak let container: Container?
  private let number: Int

  init(_ container: Container, _ number: Int) {
    self.container = container
    self.number = number
  }

  deinit {
    guard let container else { return }
    let name = Name("farewell\(number)")
    // Refused by a container that is closed; none of a history is.
    _ = try? container.register(Aide.self, name: name, scope: .singleton) { _ in Aide() }
      .afterInit { _, _ in }
    _ = try? container.resolve(Aide.self, name: name)
    let scope = container.makeScope()
    _ = try? scope.resolve(Aide.self, name: name)
    try? scope.syncClose()
    if number.isMultiple(of: 2) { container.unregister(Aide.self, name: name) }
  }
}
