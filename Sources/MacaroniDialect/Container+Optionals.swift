// SPDX-License-Identifier: MIT

internal import Synchronization

/// Where an optional is expected, its own registration comes first. Few programs have any: all others spare the lookup.
extension Container {
  private static let optionals = Atomic(false)

  /// Whether a closure that returns an optional was ever registered without a parameter, in any container.
  @usableFromInline static var mayHaveOptionals: Bool { optionals.load(ordering: .relaxed) }

  /// Comes before the registration: who knows of that finds it.
  static func noteOptional() { optionals.store(true, ordering: .relaxed) }
}
