// SPDX-License-Identifier: MIT

/// Tells registrations of one type apart.
///
/// String literals are names, and so is anything `Hashable & Sendable`:
///
/// ```swift
/// extension Name { static let mysql: Name = "mysql" }
/// try container.register(Database.self, name: .mysql) { _ in MySQL() }
/// let shard = try container.resolve(Database.self, name: Name(7))
/// ```
///
/// The hash is computed once, when the name is made: keep names that are used often in a constant.
/// Names are compared by value; a hash alone never decides.
///
/// ## Concurrency
/// Immutable; safe to share.
public struct Name: Sendable {
  /// A value that is not a string.
  @usableFromInline
  final class Boxed: Sendable {
    let value: any Hashable & Sendable

    init(_ value: any Hashable & Sendable) {
      self.value = value
    }

    var hashable: AnyHashable { AnyHashable(value) }
  }

  /// Never 0; odd for strings, even for other values.
  @usableFromInline let hash: UInt64
  @usableFromInline let text: String
  @usableFromInline let value: Boxed?

  init(hash: UInt64, text: String, value: Boxed?) {
    self.hash = hash
    self.text = text
    self.value = value
  }

  /// A name made of a string.
  ///
  /// - Complexity: O(*n*) in the length of the string.
  public init(_ text: String) {
    self.init(hash: NameHash.hash(text) | 1, text: text, value: nil)
  }

  /// A name made of any value, such as a number or an enum's case.
  ///
  /// ```swift
  /// enum Region: Hashable { case europe, america }
  /// let database = try container.resolve(Database.self, name: Name(Region.europe))
  /// ```
  ///
  /// A name made of a `String` or `Substring` equals the name of the same text. Other values are compared as
  /// `AnyHashable` compares them: `Name(7)` equals `Name(UInt8(7))`. Their `==` and `hash` run whenever such a
  /// name is looked up, with no lock held.
  ///
  /// - Complexity: that of hashing the value.
  public init<Value: Hashable & Sendable>(_ value: Value) {
    if let name = value as? Name {
      self = name
      return
    }
    if let text = value as? Substring {
      self.init(String(text))
      return
    }
    if let text = value as? String {
      self.init(text)
      return
    }
    let boxed = Boxed(value)
    let hash = UInt64(bitPattern: Int64(boxed.hashable.hashValue)) << 1
    self.init(hash: hash == 0 ? 2 : hash, text: "", value: boxed)
  }

  static func isHashOfValue(_ hash: UInt64) -> Bool {
    hash & 1 == 0
  }
}

extension Name: Hashable {
  public static func == (left: Name, right: Name) -> Bool {
    guard left.hash == right.hash else { return false }
    return left.text == right.text && left.value?.hashable == right.value?.hashable
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}

extension Name: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) {
    self.init(text)
  }
}

extension Name: CustomStringConvertible {
  /// The name as messages show it: a string in quotes, another value as it describes itself.
  public var description: String {
    if let value { "\(value.value)" } else { "\"\(text)\"" }
  }
}
