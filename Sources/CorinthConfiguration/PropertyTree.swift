// SPDX-License-Identifier: MIT

/// Values by dotted names, nested.
struct PropertyTree {
  private(set) var root: [String: PropertyValue] = [:]
  /// The source of every value, by dotted name.
  private(set) var sources: [String: String] = [:]

  /// - Returns: whether neither the name nor a part of the name had a value.
  mutating func insert(_ value: PropertyValue, at name: String, from source: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard Self.insert(value, at: parts[...], in: &root) else { return false }
    sources[name] = source
    return true
  }

  private static func insert(
    _ value: PropertyValue, at parts: ArraySlice<String>, in section: inout [String: PropertyValue]
  ) -> Bool {
    guard let first = parts.first, !first.isEmpty else { return false }
    if parts.count == 1 {
      if section[first] != nil { return false }
      section[first] = value
      return true
    }
    var inner: [String: PropertyValue] = [:]
    switch section[first] {
    case .section(let found)?: inner = found
    case nil: break
    default: return false
    }
    guard insert(value, at: parts.dropFirst(), in: &inner) else { return false }
    section[first] = .section(inner)
    return true
  }
}
