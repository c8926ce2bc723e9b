// SPDX-License-Identifier: MIT

internal import Foundation

/// A value of a resource, as read by the resource's decoder.
indirect enum PropertyValue: Sendable, Hashable {
  case none
  case boolean(Bool)
  case integer(Int64)
  /// An integer above the range of signed integers.
  case unsigned(UInt64)
  case number(Double)
  case string(String)
  /// The text of an environment variable, which may stand for a Boolean or a number.
  case text(String)
  case date(Date)
  case data(Data)
  case list([PropertyValue])
  case section([String: PropertyValue])

  /// The kind of the value, for messages: never the content.
  var kind: String {
    switch self {
    case .none: "null"
    case .boolean: "a Boolean"
    case .integer, .unsigned: "an integer"
    case .number: "a number"
    case .string: "a string"
    case .text: "a text"
    case .date: "a date"
    case .data: "data"
    case .list: "an array"
    case .section: "a section"
    }
  }
}

extension PropertyValue: Decodable {
  /// Tries the kinds one after the other: the decoders do not tell the kind of a value.
  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: PropertyCodingKey.self) {
      let pairs = try container.allKeys.map { key in
        (key.stringValue, try container.decode(PropertyValue.self, forKey: key))
      }
      self = .section(Dictionary(pairs, uniquingKeysWith: { _, last in last }))
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [PropertyValue] = []
      while !container.isAtEnd { elements.append(try container.decode(PropertyValue.self)) }
      self = .list(elements)
    } else {
      self = try Self.single(decoder.singleValueContainer(), decoder.userInfo[.hasDates] != nil)
    }
  }

  private static func single(
    _ container: any SingleValueDecodingContainer, _ hasDates: Bool
  ) throws -> PropertyValue {
    if container.decodeNil() { return .none }
    if let value = try? container.decode(Bool.self) { return .boolean(value) }
    if let value = try? container.decode(Int64.self) { return .integer(value) }
    if let value = try? container.decode(UInt64.self) { return .unsigned(value) }
    if let value = try? container.decode(Double.self) { return .number(value) }
    // JSON has neither dates nor data: a number would be taken for a date.
    if hasDates {
      if let value = try? container.decode(Date.self) { return .date(value) }
      if let value = try? container.decode(Data.self) { return .data(value) }
    }
    return .string(try container.decode(String.self))
  }
}

extension PropertyValue: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .none: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value), .text(let value): try container.encode(value)
    case .date(let value): try container.encode(value)
    case .data(let value): try container.encode(value)
    case .list(let values): try container.encode(values)
    case .section(let values): try container.encode(values)
    }
  }
}

extension CodingUserInfoKey {
  /// Whether the format has dates and data.
  static let hasDates = CodingUserInfoKey(rawValue: "CorinthConfiguration.hasDates")!
}

struct PropertyCodingKey: CodingKey {
  let stringValue: String

  init(stringValue: String) { self.stringValue = stringValue }

  var intValue: Int? { nil }

  init?(intValue: Int) { nil }
}
