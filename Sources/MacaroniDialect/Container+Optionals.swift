// SPDX-License-Identifier: MIT

internal import Synchronization

/// Where an optional is expected, the registration of the optional comes first. Few programs
/// register optionals: all other programs spare the lookup.
extension Container {
  private static let optionals = Atomic(false)

  /// Whether a closure that returns an optional was ever registered without a parameter, in any
  /// container.
  @usableFromInline static var mayHaveOptionals: Bool { optionals.load(ordering: .relaxed) }

  /// Called before the registration, so that a resolve that knows of the registration finds the
  /// optional.
  static func noteOptional() { optionals.store(true, ordering: .relaxed) }
}
