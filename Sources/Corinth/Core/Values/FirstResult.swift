// SPDX-License-Identifier: MIT

extension Sequence {
  /// The first result of `body` other than `nil`. Every element is looked at once: a lazy
  /// `compactMap` asks twice for the result taken, which other threads may have removed by then.
  func firstResult<Result>(_ body: (Element) -> Result?) -> Result? {
    for element in self {
      if let result = body(element) { return result }
    }
    return nil
  }
}
