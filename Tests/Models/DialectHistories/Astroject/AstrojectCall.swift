// SPDX-License-Identifier: MIT

/// One call of a program on Astroject. Containers and instances stand in numbered places.
indirect enum AstrojectCall: CustomStringConvertible {
  case create(Int)
  case drop(Int)
  case register(Int, AstrojectRegistration)
  case resolve(Int, AstrojectKey, isAsync: Bool, keep: Int?)
  case isRegistered(Int, AstrojectKey)
  case clear(Int)
  case add(Int, behavior: Int)
  case apply(Int, [AstrojectAssembly])
  /// Of the instance that a registration was made with.
  case release(registration: Int)
  case forget(Int)

  static let places = 2

  var description: String {
    switch self {
    case .create(let place): "create c\(place)"
    case .drop(let place): "drop c\(place)"
    case .register(let place, let registration): "register c\(place) \(registration)"
    case .resolve(let place, let key, let isAsync, let keep):
      "resolve\(isAsync ? "Async" : "") c\(place) \(key)" + (keep.map { ", keep k\($0)" } ?? "")
    case .isRegistered(let place, let key): "isRegistered c\(place) \(key)"
    case .clear(let place): "clear c\(place)"
    case .add(let place, let behavior): "add c\(place) b\(behavior)"
    case .apply(let place, let assemblies): "apply c\(place) \(assemblies)"
    case .release(let registration): "release f\(registration)"
    case .forget(let place): "forget k\(place)"
    }
  }
}

struct AstrojectKey: CustomStringConvertible {
  var kind: KindNumber
  var name: String?

  var description: String { "\(kind)" + (name.map { " \"\($0)\"" } ?? "") }
}

/// Registers, and resolves when all is registered.
struct AstrojectAssembly: CustomStringConvertible {
  var registration: AstrojectRegistration
  var resolves: AstrojectKey
  var id: String?

  var description: String { "(\(id ?? "without id"): \(registration), then \(resolves))" }
}

/// An object that decides how long instances live.
enum AstrojectInstance: Equatable {
  case prototype, singleton, weak, recording
  /// The one of an earlier registration, if that has one of the same type; otherwise a singleton.
  case shared(registration: Int)
}

enum AstrojectScope {
  case usual, prototype, singleton, weak
  case instance(AstrojectInstance)
  /// By a label, or by a closure.
  case composite([AstrojectInstance], byClosure: Bool)
}

struct AstrojectRegistration: CustomStringConvertible {
  enum Style {
    case fresh, kept, none, failing
    /// Needs another service, whose error is its own.
    case needing(AstrojectKey)
  }

  var number: Int
  var key: AstrojectKey
  var overridable: Bool?
  var isAsync: Bool
  var scope: AstrojectScope
  /// Whether an action follows, and whether it fails.
  var afterInit: Bool?
  var style: Style
  var during: [AstrojectCall]

  var description: String {
    "f\(number) \(key)\(isAsync ? " async" : "") \(scope) \(style)"
      + (overridable.map { " overridable \($0)" } ?? "")
      + (afterInit.map { " afterInit \($0 ? "fails" : "ends")" } ?? "")
      + (during.isEmpty ? "" : " { " + during.map(\.description).joined(separator: ", ") + " }")
  }
}

struct FactoryFailed: Error {
  let number: Int
}
