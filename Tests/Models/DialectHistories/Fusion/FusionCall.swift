// SPDX-License-Identifier: MIT

/// One call of a program on Fusion. Containers and hosts stand in numbered places; without a place,
/// calls are static ones.
indirect enum FusionCall: CustomStringConvertible {
  case create(Int, parent: Int?)
  case drop(Int)
  case main(Int, spelling: Int)
  case bind(Int?, FusionBinding)
  case unbind(Int?, FusionKey)
  case resolve(Int?, FusionKey, FusionForm, keep: Int?)
  case describe(Int)
  case host(Int, FusionKey, FusionHostForm)
  case read(Int)
  case dropHost(Int)
  case forget(Int)

  static let places = 3
  static let hosts = 3

  var description: String {
    func name(_ place: Int?) -> String { place.map { "c\($0)" } ?? "main" }
    return switch self {
    case .create(let place, let parent):
      "create c\(place) in \(parent.map { "c\($0)" } ?? "nothing")"
    case .drop(let place): "drop c\(place)"
    case .main(let place, let spelling): "main c\(place) \(spelling)"
    case .bind(let place, let binding): "bind \(name(place)) \(binding)"
    case .unbind(let place, let key): "unbind \(name(place)) \(key)"
    case .resolve(let place, let key, let form, let keep):
      "resolve \(name(place)) \(key) \(form)" + (keep.map { ", keep k\($0)" } ?? "")
    case .describe(let place): "describe c\(place)"
    case .host(let place, let key, let form): "host h\(place) \(key) \(form)"
    case .read(let place): "read h\(place)"
    case .dropHost(let place): "dropHost h\(place)"
    case .forget(let place): "forget k\(place)"
    }
  }
}

struct FusionKey: CustomStringConvertible {
  var kind: KindNumber
  var id: FusionID

  var description: String { "\(kind) \(id)" }
}

/// Some of them are equal as `AnyHashable`.
enum FusionID: CaseIterable {
  case none, a, b, substring, one, oneAsDouble, oneAsByte, oneAsText, place

  var hashable: AnyHashable? {
    switch self {
    case .none: nil
    case .a: "a"
    case .b: "b"
    case .substring: AnyHashable("xay".dropFirst().dropLast())
    case .one: 1
    case .oneAsDouble: AnyHashable(1.0)
    case .oneAsByte: AnyHashable(UInt8(1))
    case .oneAsText: "1"
    case .place: AnyHashable(FusionID.a)
    }
  }
}

/// A closure, by what it does.
struct FusionBinding: CustomStringConvertible {
  enum Style: CaseIterable {
    case fresh, kept, none
  }

  /// Which of the overloads, of all versions.
  enum Form: CaseIterable {
    case factory, value, positionalFactory, positionalValue, identifierFactory, identifierValue
    case registerTaking, register, registerSingletonTaking, registerUntypedTaking
    case registerSingletonUntypedTaking, registerValue, registerSingletonValue,
      registerBehaviorValue

    var takesContainer: Bool {
      switch self {
      case .factory, .positionalFactory, .identifierFactory, .registerTaking,
        .registerSingletonTaking, .registerUntypedTaking, .registerSingletonUntypedTaking:
        true
      default: false
      }
    }

    /// `nil` when it is said by the caller.
    var isSingleton: Bool? {
      switch self {
      case .factory, .value, .identifierFactory, .identifierValue, .registerBehaviorValue: nil
      case .registerSingletonTaking, .registerSingletonUntypedTaking, .registerSingletonValue: true
      default: false
      }
    }

    var takesID: Bool {
      switch self {
      case .registerTaking, .register, .registerUntypedTaking, .registerSingletonUntypedTaking,
        .registerValue:
        false
      default: true
      }
    }

    var isStatic: Bool {
      switch self {
      case .registerUntypedTaking, .registerSingletonUntypedTaking, .registerBehaviorValue: false
      default: true
      }
    }
  }

  var number: Int
  var key: FusionKey
  var isSingleton: Bool
  var form: Form
  var style: Style
  var during: [FusionCall]

  var description: String {
    "f\(number) \(key) \(form)\(isSingleton ? " singleton" : "") \(style)"
      + (during.isEmpty ? "" : " { " + during.map(\.description).joined(separator: ", ") + " }")
  }
}

/// Which of the overloads of `resolve`, of all versions.
enum FusionForm: CaseIterable {
  case optional, identifier, throwing, throwingIdentifier, assert, assertIdentifier, inferred
  case inferredIdentifier, old
}

enum FusionHostForm {
  case object(Int)
  case containerized(Int)
  case structure
  case local
}
