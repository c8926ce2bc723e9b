// SPDX-License-Identifier: MIT

extension Registration {
  /// Whether it is what the container has registered under its key: not one that another one was kept for, or that has been
  /// overridden or removed.
  ///
  /// ```swift
  /// let isFirst = try container.register(Clock.self, onDuplicate: .keep) { _ in SystemClock() }.isCurrent
  /// ```
  ///
  /// Lock-free.
  public var isCurrent: Bool {
    container.registry.ownSlot(of: key)?.withRegistration { $0.serial == serial } ?? false
  }

  /// Puts the registration back that this one has overridden because of ``DuplicatePolicy/require``, with the instance that it
  /// had.
  ///
  /// ```swift
  /// let mailer = try fork.register(Mailer.self, onDuplicate: .require) { _ in RecordingMailer() }
  /// defer { mailer.restore() }
  /// ```
  ///
  /// For tests, most of which have a ``Container/fork(_:)`` or ``Container/withOverrides(draining:timeLimit:_:run:)`` instead, and
  /// nothing to restore. When the last copy of the registration is dropped, it stays for good.
  ///
  /// If it was overridden itself, the later override stays, and restoring that one restores the registration from before
  /// both. If the key was registered in another way meanwhile, or removed, nothing changes. Other types that this one serves by
  /// ``implements(_:)`` are registrations of their own, and stay.
  ///
  /// - Returns: whether something was restored. Once only.
  /// - Complexity: O(*n*) in the number of overrides that can be undone.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func restore() -> Bool {
    override?.restore() ?? false
  }
}
