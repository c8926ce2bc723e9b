// SPDX-License-Identifier: MIT

/// One call of a program on DIC. Containers and builders stand in numbered places.
indirect enum DICCall: CustomStringConvertible {
  case create(Int, DICForm)
  case copy(Int, to: Int)
  case build(Int, to: Int)
  case drop(Int)
  case register(Int, DICRegistration)
  case load(Int, KindNumber, DICLoad, keep: Int?)
  case unregister(Int, keepingCapacity: Bool)
  case list(Int, to: Int, throwable: Bool)
  /// Runs a builder of a list.
  case run(Int, KindNumber)
  case forget(Int)

  static let places = 4

  var description: String {
    switch self {
    case .create(let place, let form): "create p\(place) \(form)"
    case .copy(let place, let other): "copy p\(place) to p\(other)"
    case .build(let place, let other): "build p\(place) to p\(other)"
    case .drop(let place): "drop p\(place)"
    case .register(let place, let registration): "register p\(place) \(registration)"
    case .load(let place, let kind, let form, let keep):
      "load p\(place) \(kind) \(form)" + (keep.map { ", keep k\($0)" } ?? "")
    case .unregister(let place, let keeping): "unregister p\(place) \(keeping)"
    case .list(let place, let list, let throwable): "list p\(place) to l\(list) \(throwable)"
    case .run(let list, let kind): "run l\(list) \(kind)"
    case .forget(let place): "forget k\(place)"
    }
  }
}

enum DICForm: CaseIterable {
  case mutable, mini, async, builder, immutable

  var takesThrowing: Bool { self == .mutable || self == .builder || self == .async }
  var takesSingletons: Bool { self == .mutable || self == .builder || self == .mini }
  var takesRegistrations: Bool { self != .immutable }
  var loadsOptionally: Bool { self == .mutable || self == .immutable || self == .async }
  var lists: Bool { self == .mutable || self == .mini || self == .async }
}

struct DICRegistration: CustomStringConvertible {
  enum Slot: CaseIterable {
    case plain, singleton, throwing
  }
  enum Style: CaseIterable {
    case fresh, kept, none, failing
  }

  var number: Int
  var kind: KindNumber
  var slot: Slot
  var style: Style
  var isAutoclosure: Bool
  /// Whether the type is said.
  var isSpelled: Bool
  var during: [DICCall]

  var description: String {
    "f\(number) \(kind) \(slot) \(style)\(isAutoclosure ? " autoclosure" : "")"
      + (isSpelled ? " spelled" : "")
      + (during.isEmpty ? "" : " { " + during.map(\.description).joined(separator: ", ") + " }")
  }
}

enum DICLoad: CaseIterable {
  case certain, orNil, orThrow, certainInferred
}

struct BuilderFailed: Error {
  let number: Int
}
