// SPDX-License-Identifier: MIT

/// One call of a program on Swinject. Containers, views, entries, values and identifiers stand in
/// numbered places.
indirect enum SwinjectCall: CustomStringConvertible {
  case create(Int, parent: Int?, SwinjectScope, behaviors: [Int], [SwinjectRegistration])
  case drop(Int)
  case view(Int, of: Int)
  case register(Int, SwinjectRegistration)
  case scope(Int, SwinjectScope)
  case complete(Int, SwinjectCompletion)
  case implement(Int, SwinjectKey)
  case forward(Int, SwinjectKey, to: Int)
  case resolve(SwinjectTarget, SwinjectKey, SwinjectArguments, SwinjectForm, keep: Int?)
  case read(Int)
  case forget(Int)
  case identify(SwinjectTarget, keep: Int)
  case withGraph(Int, Int, fails: Bool, [SwinjectCall])
  case removeAll(Int)
  case reset(Int, SwinjectScope, KindNumber?)
  case has(Int, SwinjectKey)
  case behave(Int, Int)
  case assemble(Int, atOnce: Bool, [SwinjectAssembly])
  case describe(Int)

  static let places = 3

  var description: String {
    switch self {
    case .create(let place, let parent, let scope, let behaviors, let registrations):
      "create c\(place)\(parent.map { " in c\($0)" } ?? "") \(scope) \(behaviors) \(registrations)"
    case .drop(let place): "drop c\(place)"
    case .view(let view, let place): "view v\(view) of c\(place)"
    case .register(let place, let registration): "register c\(place) \(registration)"
    case .scope(let entry, let scope): "scope e\(entry) \(scope)"
    case .complete(let entry, let completion): "complete e\(entry) \(completion)"
    case .implement(let entry, let key): "implement e\(entry) \(key)"
    case .forward(let place, let key, let entry): "forward c\(place) \(key) to e\(entry)"
    case .resolve(let target, let key, let arguments, let form, let keep):
      "resolve \(target) \(form) \(key)(\(arguments))" + (keep.map { ", keep k\($0)" } ?? "")
    case .read(let place): "read k\(place)"
    case .forget(let place): "forget k\(place)"
    case .identify(let target, let keep): "identify \(target), keep i\(keep)"
    case .withGraph(let place, let identifier, let fails, let during):
      "withGraph c\(place) i\(identifier)\(fails ? " throwing" : "") \(during)"
    case .removeAll(let place): "removeAll c\(place)"
    case .reset(let place, let scope, let kind):
      "reset c\(place) \(scope)" + (kind.map { " of \($0)" } ?? "")
    case .has(let place, let key): "has c\(place) \(key)"
    case .behave(let place, let behavior): "behave c\(place) b\(behavior)"
    case .assemble(let place, let atOnce, let assemblies):
      "assemble c\(place)\(atOnce ? " at once" : "") \(assemblies)"
    case .describe(let place): "describe c\(place)"
    }
  }
}

struct SwinjectKey: CustomStringConvertible {
  var kind: KindNumber
  var name: String?

  var description: String { "\(kind)" + (name.map { " \"\($0)\"" } ?? "") }
}

/// What is asked for a service.
enum SwinjectTarget: CustomStringConvertible {
  case container(Int)
  case view(Int)
  /// The one that a factory or a completion has got.
  case resolver

  var description: String {
    switch self {
    case .container(let place): "c\(place)"
    case .view(let place): "v\(place)"
    case .resolver: "r"
    }
  }
}

enum SwinjectScope: CaseIterable {
  case graph, container, weak, transient
  /// A scope of a permanent storage.
  case own
  /// A scope that has a weak storage before that of the graph.
  case weakly
  /// A scope whose own storage keeps nothing, so that its parent's is used.
  case inherited
  /// A scope with a storage of its own type.
  case shelf
}

enum SwinjectArguments: CustomStringConvertible {
  case none
  case number(Int)
  case text(String)
  case numbers(Int, Int)
  case mixed(Int, String)

  var shape: SwinjectShape {
    switch self {
    case .none: .none
    case .number: .number
    case .text: .text
    case .numbers: .numbers
    case .mixed: .mixed
    }
  }

  var description: String {
    switch self {
    case .none: ""
    case .number(let number): "\(number)"
    case .text(let text): text
    case .numbers(let first, let second): "\(first), \(second)"
    case .mixed(let first, let second): "\(first), \(second)"
    }
  }
}

/// The types of arguments.
enum SwinjectShape: CaseIterable {
  case none, number, text, numbers, mixed
}

/// What a service is asked for as.
enum SwinjectForm: CaseIterable {
  case plain, lazy, provider, lazyOfLazy, optionalLazy
}

/// A factory, by what it does.
struct SwinjectRegistration: CustomStringConvertible {
  enum Style { case fresh, derived, none }

  var number: Int
  var key: SwinjectKey
  var shape: SwinjectShape
  var style: Style
  var scope: SwinjectScope?
  var during: [SwinjectCall]
  var completions: [SwinjectCompletion]
  var aliases: [SwinjectKey]
  /// Where its entry is kept.
  var entry: Int?

  var description: String {
    let parts =
      ["f\(number) \(key) \(shape) \(style)", scope.map { "\($0)" } ?? ""]
      + [during.isEmpty ? "" : "{ " + during.map(\.description).joined(separator: ", ") + " }"]
      + completions.map(\.description) + aliases.map { "as \($0)" }
      + [entry.map { "entry e\($0)" } ?? ""]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

struct SwinjectCompletion: CustomStringConvertible {
  var number: Int
  var during: [SwinjectCall]

  var description: String {
    "d\(number) { " + during.map(\.description).joined(separator: ", ") + " }"
  }
}

struct SwinjectAssembly: CustomStringConvertible {
  var number: Int
  var registrations: [SwinjectRegistration]
  var loaded: [SwinjectCall]

  var description: String { "a\(number) \(registrations) loaded \(loaded)" }
}
