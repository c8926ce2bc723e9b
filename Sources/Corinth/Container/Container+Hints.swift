// SPDX-License-Identifier: MIT

extension Container {
  /// Called with hints at mistakes that no error shows; a single handler for the process.
  ///
  /// ```swift
  /// Container.onHint = { hint in logger.notice("\(hint)") }
  /// ```
  ///
  /// There is a hint, once for each key, when two lines of modules register a key without saying
  /// so: two lines of an assembly, or of two assemblies neither of which replaces the other.
  /// `onDuplicate:` of either registration says so. A line that runs twice, and the containers of
  /// the compatibility modules, get no hint. There is a hint, once for the process, when the
  /// validation of a warm-up has not seen the dependencies of closures.
  ///
  /// Only debug builds of this package look for such mistakes, and print the hints to the standard
  /// error stream as long as no handler is set. Set `nil` to ignore hints.
  ///
  /// The handler is called on the thread that has made the mistake, with no lock held.
  ///
  /// Takes a lock of the process for a moment, also for every hint.
  public static var onHint: (@Sendable (String) -> Void)? {
    get { Hints.handler.value }
    set { Hints.handler.value = newValue }
  }
}
