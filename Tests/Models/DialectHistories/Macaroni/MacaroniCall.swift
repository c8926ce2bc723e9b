// SPDX-License-Identifier: MIT

/// One call of a program on Macaroni. Containers and hosts stand in numbered places.
indirect enum MacaroniCall: CustomStringConvertible {
  case create(Int, parent: Int?)
  case drop(Int)
  case register(Int, MacaroniRegistration)
  case resolve(Int, MacaroniKey, MacaroniForm, keep: Int?)
  case resolveTaking(Int, MacaroniKey, MacaroniForm, parameter: MacaroniParameter)
  case isResolvable(Int, MacaroniKey)
  case cleanup(Int)
  case lock(Int)
  case unlock(Int)
  case policy(MacaroniPolicy?)
  case host(Int, MacaroniKey, MacaroniHostForm, MacaroniMode)
  case read(Int)
  case project(Int)
  case assign(Int)
  case dropHost(Int)
  case pass(MacaroniKey, MacaroniSource)
  case forget(Int)

  static let places = 3
  static let hosts = 3

  var description: String {
    switch self {
    case .create(let place, let parent):
      "create c\(place)" + (parent.map { " in c\($0)" } ?? "")
    case .drop(let place): "drop c\(place)"
    case .register(let place, let registration): "register c\(place) \(registration)"
    case .resolve(let place, let key, let form, let keep):
      "resolve c\(place) \(key) as \(form)" + (keep.map { ", keep k\($0)" } ?? "")
    case .resolveTaking(let place, let key, let form, let parameter):
      "resolveTaking c\(place) \(key) as \(form), parameter \(parameter)"
    case .isResolvable(let place, let key): "isResolvable c\(place) \(key)"
    case .cleanup(let place): "cleanup c\(place)"
    case .lock(let place): "lock c\(place)"
    case .unlock(let place): "unlock c\(place)"
    case .policy(let policy): "policy \(policy.map { "\($0)" } ?? "none")"
    case .host(let place, let key, let form, let mode): "host h\(place) \(key) \(form) \(mode)"
    case .read(let place): "read h\(place)"
    case .project(let place): "project h\(place)"
    case .assign(let place): "assign h\(place)"
    case .dropHost(let place): "dropHost h\(place)"
    case .pass(let key, let source): "pass \(key) \(source)"
    case .forget(let place): "forget k\(place)"
    }
  }
}

struct MacaroniKey: CustomStringConvertible {
  var kind: KindNumber
  var alternative: String?

  var description: String { "\(kind)" + (alternative.map { " \"\($0)\"" } ?? "") }
}

/// A closure, by what it does.
struct MacaroniRegistration: CustomStringConvertible {
  enum Style: CaseIterable {
    case fresh, kept, once, none
  }

  var number: Int
  var key: MacaroniKey
  var takes: Bool
  /// Whether the alternative is spelled as a `RegistrationAlternative`.
  var isSpelled: Bool
  var style: Style
  var during: [MacaroniCall]

  var description: String {
    "f\(number) \(key)\(takes ? " taking" : "")\(isSpelled ? " spelled" : "") \(style)"
      + (during.isEmpty ? "" : " { " + during.map(\.description).joined(separator: ", ") + " }")
  }
}

/// Which of the overloads of `resolve`.
enum MacaroniForm: CaseIterable {
  case string, optional, alternative, alternativeOptional
}

enum MacaroniPolicy {
  case singleton(Int)
  case enclosing(default: Int?)
  /// For objects with even numbers, with odd ones, and without an object.
  case custom(Int?, Int?)
}

enum MacaroniHostForm {
  case object
  case module(Int?)
  case weak
  case structure
}

enum MacaroniMode {
  case usual
  case capturing(Int, labeled: Bool)
  case lazily
  case eager(Int?)
  case holding
}

/// What the projected value of a parameter is.
enum MacaroniSource {
  case object(Int)
  case container(Int)
  case resolved(Int, spelled: Bool)
  case value
  case wrongValue
  case plain
}

enum MacaroniParameter: CaseIterable {
  case number, empty, widget
}
