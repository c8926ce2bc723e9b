// SPDX-License-Identifier: MIT

public import CCorinth

/// Distinguishes registrations of a type, and request scopes that are open within each other.
///
/// String literals are names, and so is anything `Hashable & Sendable`:
///
/// ```swift
/// extension Name { static let mysql: Name = "mysql" }
/// try container.register(Database.self, name: .mysql) { _ in MySQL() }
/// let shard = try container.resolve(Database.self, name: Name(7))
/// ```
///
/// The hash is computed once, when the name is made: store a long, frequently used name in a
/// constant. Names are compared by value; a hash alone never decides.
///
/// ## Concurrency
/// Immutable; safe to share.
@frozen
public struct Name: Sendable {
  /// Never 0; odd for texts, even for values.
  @usableFromInline let hash: UInt64
  @usableFromInline let content: NameContent

  init(hash: UInt64, content: NameContent) {
    self.hash = hash
    self.content = content
  }

  /// A name made of a string.
  ///
  /// - Complexity: O(*n*) in the length of the string.
  public init(_ text: String) {
    let words = NameContent.words(of: text)
    if NameContent.isShort(words) {
      self.init(short: words)
    } else if let hash = NameHash.hash(ofLongASCII: text) {
      self.init(hash: hash | 1, content: .long(text))
    } else {
      self.init(unusual: text)
    }
  }

  /// A name made of a text that is not all ASCII, or short but not stored as a short string.
  @inline(never)
  private init(unusual text: String) {
    let canonical = NameHash.withoutEquivalentsOfASCII(text)
    if let words = NameHash.words(ofShortASCII: canonical) {
      self.init(short: words)
    } else {
      let hash = NameHash.hash(ofLongASCII: canonical) ?? UInt64(bitPattern: Int64(text.hashValue))
      self.init(hash: hash | 1, content: .long(text))
    }
  }

  /// A name made of the words of a short text.
  @inlinable @inline(__always)
  init(short words: (UInt64, UInt64)) {
    hash = corinth_name_hash(words.0, words.1) | 1
    content = .short(words.0, words.1)
  }

  /// A name made of any value, such as a number or an enum's case.
  ///
  /// ```swift
  /// enum Region: Hashable { case europe, america }
  /// let database = try container.resolve(Database.self, name: Name(Region.europe))
  /// ```
  ///
  /// A name made of a `String` or `Substring` equals the name of the same text. All remaining
  /// values are compared like `AnyHashable`: `Name(7)` equals `Name(UInt8(7))`. The `hash` of the
  /// value runs when the name is made. The `==` of the value runs with no lock held, when the name
  /// of a lookup was made apart from the registration's name; integers are compared without `==`.
  ///
  /// - Complexity: as for hashing the value.
  public init<Value: Hashable & Sendable>(_ value: Value) {
    self.init(unchecked: value)
  }

  /// A name made of a value whose type has been erased.
  ///
  /// ```swift
  /// let key: AnyHashable = Region.europe
  /// let database = try container.resolve(Database.self, name: Name(key))
  /// ```
  ///
  /// The name equals the name made of the value itself.
  ///
  /// - Parameter value: goes to every thread, as the name does. `AnyHashable` hides whether the
  ///   wrapped value is `Sendable`: you ensure that threads may share the value.
  /// - Complexity: as for hashing the value.
  public init(_ value: AnyHashable) {
    func name(of value: some Hashable) -> Name { Name(unchecked: value) }
    let base = value.base
    // The usual types: a cast to the protocol takes ten times as long.
    let type = type(of: base)
    if type == String.self, let text = base as? String {
      self.init(text)
      return
    }
    if type == Int.self, let integer = base as? Int {
      self.init(unchecked: integer)
      return
    }
    guard let base = base as? any Hashable else {
      preconditionFailure("Name.init: an AnyHashable must wrap a Hashable")
    }
    self = name(of: base)
  }

  /// A value without `Sendable`, for which the compiler would otherwise take the initializer above.
  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "only for a value whose type is not Sendable, as this one: a name goes to every thread. Make the type Sendable"
  )
  public init<Value: Hashable>(_ value: Value) {
    self.init(unchecked: value)
  }

  private init<Value: Hashable>(unchecked value: Value) {
    if let integer = NameInteger(value) {
      self.init(
        hash: Name.hash(ofValue: integer.hashValue), content: NameContent(digits: integer.digits))
      return
    }
    if let convertible = value as? any NameConvertible {
      self = convertible.name
      return
    }
    self.init(
      hash: Name.hash(ofValue: AnyHashable(value).hashValue), content: .value(NameValueOf(value)))
  }

  static func hash(ofValue hashValue: Int) -> UInt64 {
    let hash = UInt64(bitPattern: Int64(hashValue)) << 1
    return hash == 0 ? 2 : hash
  }

  /// The text, or an integer's digits; empty for any other value.
  var text: String { content.text }
}

extension Name {
  /// The value behind the name.
  ///
  /// ```swift
  /// Name("mysql").base == AnyHashable("mysql")
  /// ```
  ///
  /// A `Substring` comes back as a `String`, an integer as an equal one, possibly of another type.
  public var base: AnyHashable {
    if case .value(let value, _) = content { return value.hashable }
    let integer = hash & 1 == 0 ? NameInteger.hashable(digits: text) : nil
    return integer ?? AnyHashable(text)
  }
}

extension Name: Hashable {
  public static func == (left: Name, right: Name) -> Bool {
    guard left.hash == right.hash else { return false }
    // With equal hashes, either both contents are texts or both are values.
    switch (left.content, right.content) {
    case (.short(let left, let leftMarks), .short(let right, let rightMarks)):
      return left == right && leftMarks == rightMarks
    case (.value(let left, _), .value(let right, _)):
      return left === right || left.isEqual(to: right)
    case (.value(let value, _), let other), (let other, .value(let value, _)):
      return value.hashable == NameInteger.hashable(digits: other.text)
    default: return left.text == right.text
    }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}

extension Name: ExpressibleByStringInterpolation {
  @inlinable @inline(__always)
  public init(stringLiteral text: String) {
    let words = NameContent.words(of: text)
    self = NameContent.isShort(words) ? Name(short: words) : Name(text)
  }
}

extension Name: CustomStringConvertible {
  /// The name as shown in messages: a string in quotes, or the description of the value.
  public var description: String {
    if case .value(let value, _) = content { return value.description }
    return hash & 1 == 0 ? text : "\"\(text)\""
  }

  /// `nil` for a text or an integer.
  var value: NameValue? {
    if case .value(let value, _) = content { value } else { nil }
  }

  /// The name in the notation of code.
  var literal: String {
    if case .value(let value, _) = content { return "Name(\(value.description))" }
    return hash & 1 == 0 ? "Name(\(text))" : String(reflecting: text)
  }
}

/// A name, or a name's text. A single cast tells these types from all others, optionals included.
private protocol NameConvertible {
  var name: Name { get }
}

extension Name: NameConvertible {
  fileprivate var name: Name { self }
}

extension String: NameConvertible {
  fileprivate var name: Name { Name(self) }
}

extension Substring: NameConvertible {
  fileprivate var name: Name { Name(String(self)) }
}
