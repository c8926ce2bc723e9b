// SPDX-License-Identifier: MIT

/// The modifiers that came when their container was frozen, by the numbers of their registrations.
typealias RefusedModifiers = Shared<[UInt64: [String]]>

extension ReplaceableReference<RefusedModifiers> {
  /// Notes a modifier, once for each registration. No lock is held.
  func note(_ modifier: StaticString, of serial: UInt64) {
    change(serial) { names in names.filter { $0 != "\(modifier)" } + ["\(modifier)"] }
  }

  /// Forgets a modifier that has come again, and was not refused. No lock is held.
  func forget(_ modifier: StaticString, of serial: UInt64) {
    if isNil { return }
    change(serial) { names in names.filter { $0 != "\(modifier)" } }
  }

  private func change(_ serial: UInt64, _ change: ([String]) -> [String]) {
    update { former in
      var modifiers = former?.value ?? [:]
      let changed = change(modifiers[serial] ?? [])
      modifiers[serial] = changed.isEmpty ? nil : changed
      return Shared(modifiers)
    }
  }
}
