// SPDX-License-Identifier: MIT

extension Registration {
  /// Whether the container has this registration under the key: `false` if an earlier registration
  /// was kept instead, or this registration has been overridden or removed.
  ///
  /// ```swift
  /// let clock = try container.register(Clock.self, onDuplicate: .keep) { _ in SystemClock() }
  /// let isFirst = clock.isCurrent
  /// ```
  ///
  /// Lock-free.
  public var isCurrent: Bool {
    container.registry.ownSlot(of: key)?.withRegistration { $0.serial == serial } ?? false
  }

  /// Puts back the registration that this registration has overridden because of
  /// ``DuplicatePolicy/require``, with the former instance.
  ///
  /// ```swift
  /// let mailer = try fork.register(Mailer.self, onDuplicate: .require) { _ in RecordingMailer() }
  /// defer { mailer.restore() }
  /// ```
  ///
  /// For tests. Most tests use a ``Container/fork(file:line:_:)`` or
  /// ``Container/withOverrides(draining:timeLimit:_:run:)`` instead, and have nothing to restore.
  /// When the last copy of the registration is dropped, the override stays for good.
  ///
  /// If this registration was overridden too, the later override stays, and restoring the later
  /// override restores the registration from before both overrides. If the key was registered in
  /// another way meanwhile, or removed, nothing changes. Types served by ``implements(_:)`` are
  /// registrations of their own, and stay.
  ///
  /// - Returns: whether the call restored a registration. Once only.
  /// - Complexity: O(*n*) in the number of overrides that can be undone.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func restore() -> Bool {
    override?.restore() ?? false
  }
}
