// SPDX-License-Identifier: MIT

/// The modifiers that came when their container was frozen, by the numbers of their registrations. Immutable: one more is
/// noted in a copy.
final class RefusedModifiers: Sendable {
  let modifiers: [UInt64: [String]]

  init(_ modifiers: [UInt64: [String]]) {
    self.modifiers = modifiers
  }
}

extension ReplaceableReference<RefusedModifiers> {
  /// Notes a modifier, once for each registration. No lock is held.
  func note(_ modifier: StaticString, of serial: UInt64) {
    update { former in
      var modifiers = former?.modifiers ?? [:]
      let name = "\(modifier)"
      if !modifiers[serial, default: []].contains(name) {
        modifiers[serial, default: []].append(name)
      }
      return RefusedModifiers(modifiers)
    }
  }
}
