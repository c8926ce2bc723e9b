// SPDX-License-Identifier: MIT

extension Sequence {
  /// The first result of `body`. Every element is looked at once: a lazy `compactMap` asks twice
  /// for the taken result, which other threads may have removed by the second time.
  func firstResult<Result>(_ body: (Element) -> Result?) -> Result? {
    for element in self {
      if let result = body(element) { return result }
    }
    return nil
  }
}
