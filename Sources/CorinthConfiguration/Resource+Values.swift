// SPDX-License-Identifier: MIT

internal import Foundation

extension Resource {
  /// The values of the resource by key, in the types of Foundation's readers: for a compatibility
  /// module.
  ///
  /// - Throws: ``ConfigurationError``.
  package func foundationValues() throws(ConfigurationError) -> [String: Any] {
    try load(known: { [] }).root.mapValues(\.foundationValue)
  }
}

extension PropertyValue {
  fileprivate var foundationValue: Any {
    switch self {
    case .none: NSNull()
    case .boolean(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .unsigned(let value): NSNumber(value: value)
    case .number(let value): NSNumber(value: value)
    case .string(let value), .text(let value): value
    case .date(let value): value
    case .data(let value): value
    case .list(let values): values.map(\.foundationValue)
    case .section(let values): values.mapValues(\.foundationValue)
    }
  }
}
