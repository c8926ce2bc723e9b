// SPDX-License-Identifier: MIT

internal import Corinth
internal import Foundation

/// A read of a property: the value, and the sources of all parts.
struct PropertyReading {
  private let name: String
  /// The source of every value, by dotted name.
  private var sources: [String: String]
  /// Whether the property has secrets: errors of types, which may contain the value, are not shown
  /// then.
  private var hasSecrets: Bool
  var value = PropertyValue.none

  init(_ name: String, _ property: Property) {
    self.name = name
    sources = [name: property.source]
    hasSecrets = property.isSecret
  }

  /// The values of a section, from all containers with values in the section.
  mutating func section(_ name: String, of resolver: Resolver) throws -> PropertyValue {
    let prefix = "\(name)."
    var tree = PropertyTree()
    // A value comes before the values that parents have below the value's name, and hides the
    // parents' values.
    for inner in try resolver.container.propertyNames().sorted() where inner.hasPrefix(prefix) {
      // The property was removed after the listing, or is a section.
      guard let property = try resolver.resolveIfRegistered(Property.self, name: Name(inner)) else {
        continue
      }
      hasSecrets = hasSecrets || property.isSecret
      guard let value = property.value else { continue }
      _ = tree.insert(value, at: String(inner.dropFirst(prefix.count)), from: property.source)
      sources[inner] = property.source
    }
    return .section(tree.root)
  }

  /// Decodes the value. A text is a string, or the text's meaning in JSON where the type wants no
  /// string.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    var value = value
    while true {
      do { return try Self.decode(type, value) } catch let error as DecodingError {
        guard case .typeMismatch = error,
          let changed = value.replacingText(at: error.codingPath[...].dropFirst())
        else {
          throw mistyped(type, error)
        }
        value = changed
      } catch {
        throw hasSecrets ? ownError(of: type) : error
      }
    }
  }

  /// The value is decoded in an array: on some platforms, the decoder refuses a single value.
  private static func decode<Value: Decodable>(
    _ type: Value.Type, _ value: PropertyValue
  ) throws -> Value {
    let encoder = JSONEncoder()
    // No resource has these strings.
    let (infinity, negative, none) = ("\0inf", "\0-inf", "\0nan")
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity, negativeInfinity: negative, nan: none)
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity, negativeInfinity: negative, nan: none)
    return try decoder.decode([Value].self, from: encoder.encode([value]))[0]
  }

  private func mistyped(_ type: any Any.Type, _ error: DecodingError) -> ConfigurationError {
    var path = error.codingPath.dropFirst().map(\.stringValue)
    var expected = "\(type)"
    switch error {
    case .typeMismatch(let wanted, _), .valueNotFound(let wanted, _): expected = "\(wanted)"
    case .keyNotFound(let key, _): path.append(key.stringValue)
    default: break
    }
    let property = ([name] + path).joined(separator: ".")
    let source = source(of: property)
    if case .keyNotFound = error {
      return ConfigurationError(
        .mistyped, in: source, property: property,
        "The property \(property) is missing: \(type) has it, and neither \(source) nor another resource does."
      )
    }
    var found = value[path[...]]?.kind ?? "missing"
    if case .dataCorrupted = error { found += " that stands for none" }
    return ConfigurationError(
      .mistyped, in: source, property: property,
      "The property \(property) of \(source) must be \(expected), and is \(found).")
  }

  private func ownError(of type: any Any.Type) -> ConfigurationError {
    ConfigurationError(
      .mistyped, in: source(of: name), property: name,
      "The property \(name) of \(source(of: name)) cannot be read as \(type). It has secrets: the error of the type is not shown."
    )
  }

  /// The source of a value, or of the section around the value.
  private func source(of property: String) -> String {
    var name = property
    while true {
      if let source = sources[name] { return source }
      guard let dot = name.lastIndex(of: ".") else { return sources[self.name] ?? "" }
      name = String(name[..<dot])
    }
  }
}

extension PropertyValue {
  /// The value at a path; an index is an index of an array.
  subscript(path: ArraySlice<String>) -> PropertyValue? {
    guard let first = path.first else { return self }
    switch self {
    case .section(let values): return values[first]?[path.dropFirst()]
    case .list(let values):
      // A decoder names the index "Index 3".
      guard let index = first.split(separator: " ").last.flatMap({ Int($0) }),
        values.indices.contains(index)
      else { return nil }
      return values[index][path.dropFirst()]
    default: return nil
    }
  }

  /// The value with the text at a path replaced by the text's meaning in JSON; `nil` without a
  /// text, or with a text that has no further meaning.
  func replacingText(at path: ArraySlice<any CodingKey>) -> PropertyValue? {
    switch self {
    case .text(let text) where path.isEmpty:
      // A nested value is never wanted, and must not come to the decoder: some depths end the
      // process.
      guard !text.contains(where: { "[{".contains($0) }),
        let read = try? JSONDecoder().decode([PropertyValue].self, from: Data("[\(text)]".utf8)),
        read.count == 1
      else { return nil }
      switch read[0] {
      case .boolean, .integer, .unsigned, .number: return read[0]
      default: return nil
      }
    case .section(var values):
      guard let first = path.first?.stringValue,
        let changed = values[first]?.replacingText(at: path.dropFirst())
      else { return nil }
      values[first] = changed
      return .section(values)
    default: return nil
    }
  }
}
