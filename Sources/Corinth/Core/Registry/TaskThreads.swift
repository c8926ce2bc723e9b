// SPDX-License-Identifier: MIT

internal import CCorinth

/// The threads on which tasks run, unless they have an executor of their own.
enum TaskThreads {
  /// The Swift runtime starts one for each processor, and none in place of one that is blocked.
  static var count: Int { corinth_processor_count() }

  /// Whether the calling thread is one of them. The main thread runs tasks of the main actor only.
  static var includeCurrent: Bool {
    unsafe withUnsafeCurrentTask { unsafe $0 != nil } && !corinth_is_main_thread()
  }
}
