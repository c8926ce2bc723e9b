// SPDX-License-Identifier: MIT

/// A type that programs register and resolve.
protocol Kind: SendableMetatype {
  associatedtype Value
  static var name: String { get }
  static func make(_ ledger: Ledger) -> Value
  /// An empty value, where the type has one.
  static func makeNone(_ ledger: Ledger) -> Value
  static func text(_ value: Value) -> String
  /// The type without its optional.
  static var wrapped: (any Kind.Type)? { get }
  /// A boxed value of `wrapped` as one of this type.
  static func lift(_ boxed: Any) -> Any?
  /// A boxed value of this type as one of `wrapped`; `nil` when it is empty.
  static func lower(_ boxed: Any) -> Any?
}

extension Kind {
  static func makeNone(_ ledger: Ledger) -> Value { make(ledger) }
  static var wrapped: (any Kind.Type)? { nil }
  static func lift(_ boxed: Any) -> Any? { nil }
  static func lower(_ boxed: Any) -> Any? { nil }
  static var identifier: ObjectIdentifier { ObjectIdentifier(Value.self) }
}

/// A value whose static type a cast finds again, optionals included.
struct Boxed<Value> {
  let value: Value
}

func unbox<Value>(_ boxed: Any) -> Value {
  guard let boxed = boxed as? Boxed<Value> else { preconditionFailure("not a \(Value.self)") }
  return boxed.value
}

protocol Greeting: AnyObject {}

/// An instance that is counted.
///
/// SAFETY: programs run on one thread at a time.
class Widget: Greeting, Described, CustomStringConvertible, @unchecked Sendable {
  let number: Int
  /// What it holds.
  var links: [Any] = []
  private let ledger: Ledger

  init(_ ledger: Ledger) {
    self.ledger = ledger
    number = ledger.nextNumber()
  }

  deinit { ledger.notesEnd(of: number) }

  var text: String { "widget \(number)" }
  var description: String { text }
}

final class Gadget: Widget, @unchecked Sendable {}

/// A value that holds an instance.
struct Parcel {
  let content: Widget
}

/// What has a text of its own in a history.
protocol Described {
  var text: String { get }
}

func text(of any: Any) -> String {
  switch any {
  case let described as any Described: described.text
  case let number as Int: "\(number)"
  case is Void: "()"
  default: "a \(type(of: any))"
  }
}

enum IntKind: Kind {
  static let name = "Int"
  static func make(_ ledger: Ledger) -> Int { ledger.nextNumber() }
  static func text(_ value: Int) -> String { "\(value)" }
}

enum WidgetKind: Kind {
  static let name = "Widget"
  static func make(_ ledger: Ledger) -> Widget { Widget(ledger) }
  static func text(_ value: Widget) -> String { value.text }
}

enum GadgetKind: Kind {
  static let name = "Gadget"
  static func make(_ ledger: Ledger) -> Gadget { Gadget(ledger) }
  static func text(_ value: Gadget) -> String { value.text }
}

enum GreetingKind: Kind {
  static let name = "any Greeting"
  static func make(_ ledger: Ledger) -> any Greeting { Widget(ledger) }
  static func text(_ value: any Greeting) -> String { (value as? Widget)?.text ?? "?" }
}

enum ParcelKind: Kind {
  static let name = "Parcel"
  static func make(_ ledger: Ledger) -> Parcel { Parcel(content: Widget(ledger)) }
  static func text(_ value: Parcel) -> String { "parcel of \(value.content.text)" }
}

enum OptionalKind<Wrapped: Kind>: Kind {
  static var name: String { "\(Wrapped.name)?" }
  static func make(_ ledger: Ledger) -> Wrapped.Value? { Wrapped.make(ledger) }
  static func makeNone(_ ledger: Ledger) -> Wrapped.Value? { nil }
  static func text(_ value: Wrapped.Value?) -> String {
    value.map { "some \(Wrapped.text($0))" } ?? "nil"
  }
  static var wrapped: (any Kind.Type)? { Wrapped.self }
  static func lift(_ boxed: Any) -> Any? {
    (boxed as? Boxed<Wrapped.Value>).map { Boxed<Wrapped.Value?>(value: $0.value) }
  }
  static func lower(_ boxed: Any) -> Any? {
    (boxed as? Boxed<Wrapped.Value?>)?.value.map { Boxed(value: $0) }
  }
}

/// One of the types, by its place among them, so that programs can be printed and made smaller.
struct KindNumber: Hashable, Sendable, CustomStringConvertible {
  let number: Int

  static let all: [any Kind.Type] = [
    IntKind.self, WidgetKind.self, GreetingKind.self, ParcelKind.self,
    OptionalKind<IntKind>.self, OptionalKind<WidgetKind>.self, OptionalKind<GreetingKind>.self,
    GadgetKind.self, OptionalKind<OptionalKind<IntKind>>.self,
  ]

  var kind: any Kind.Type { Self.all[number] }
  var description: String { kind.name }
}
