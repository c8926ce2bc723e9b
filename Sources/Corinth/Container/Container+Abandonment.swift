// SPDX-License-Identifier: MIT

extension Container {
  /// Calls a function that never returns, such as one that parks its thread, without holding the process up.
  ///
  /// ```swift
  /// Container.abandonResolves { parkForever() }
  /// ```
  ///
  /// While a transient's factory runs, no replaced object in the process is destroyed. A factory that never returned would
  /// stop that for good. Here the thread first abandons the resolves that it is running. Threads that wait for a
  /// shared instance which it is building wait on.
  ///
  /// - Parameter end: never returns. It may use containers.
  ///
  /// Wait-free.
  package static func abandonResolves(_ end: () -> Never) -> Never {
    Section.leaveAll()
    end()
  }
}
