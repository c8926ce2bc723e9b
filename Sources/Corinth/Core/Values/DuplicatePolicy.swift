// SPDX-License-Identifier: MIT

/// What is done with a registration whose key is registered already.
///
/// ```swift
/// let container = Container(duplicates: .refuse)
/// try container.register((any Clock).self, onDuplicate: .keep) { _ in SystemClock() }
/// try container.register((any Clock).self, onDuplicate: .override) { _ in Sundial() }
/// ```
///
/// A registration says it for itself. The container's ``Container/duplicates`` holds for those that do not. A registration
/// that shadows one of a parent is no duplicate. What a fork has from its base counts for ``keep`` and ``require``; the others
/// override it there.
public enum DuplicatePolicy: Sendable, Hashable {
  /// The second one overrides the first.
  case override
  /// The second one overrides the first, and a line on the standard error stream names both; one line for each key.
  case warn
  /// The first one stays, and the second one is dropped. For the defaults of a module. If several threads register a key in
  /// this way, exactly one succeeds; ``Registration/isCurrent`` tells which.
  case keep
  /// Neither overrides the other: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)`` names both. Said for
  /// a registration, it also protects that from all later ones, whatever these say.
  case refuse
  /// There must be a first one, here or in what this is a fork of, and the second one overrides it; otherwise the error is
  /// ``ResolutionError/noRegistrationFound(_:)`` with similar registrations. For tests: it reports a misspelled key. It has
  /// the scope of the first one, if it names none, and ``Registration/restore()`` puts that back. A later registration that says
  /// nothing of duplicates overrides it as ever, and a line on the standard error stream names both.
  case require
}
