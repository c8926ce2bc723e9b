// SPDX-License-Identifier: MIT

extension Sequence {
  /// The first result of `body` that is there. Each element is looked at once: a lazy `compactMap` asks twice for the result
  /// that is taken, which may be gone the second time where other threads change what is looked at.
  func firstResult<Result>(_ body: (Element) -> Result?) -> Result? {
    for element in self {
      if let result = body(element) { return result }
    }
    return nil
  }
}
