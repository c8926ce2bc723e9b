// SPDX-License-Identifier: MIT

/// The handler of one kind of report, one for the process: libraries make containers of their own.
/// Debug builds print reports until a handler is set.
struct ReportHandler<Report: Sendable & CustomStringConvertible>: ~Copyable, Sendable {
  typealias Handler = @Sendable (Report) -> Void

  private let current = ReplaceableReference<Shared<Handler>>()

  init() {
    #if DEBUG
      current.store(Shared { StandardError.write("\($0)") })
    #endif
  }

  /// Whether reports are discarded.
  var isNil: Bool { current.isNil }

  /// `nil` for none.
  var value: Handler? {
    get { current.load()?.value }
    nonmutating set { current.store(newValue.map { Shared($0) }) }
  }
}
