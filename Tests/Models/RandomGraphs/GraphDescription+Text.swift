// SPDX-License-Identifier: MIT

/// The text of a graph: a line for each container, service, caller and closing.
///
///     c1 scope of c0
///     s0 singleton in c0 factory s1 s2?by:thread action s3 disposer:sync
///     s1 wired singleton in c0 factory s2 s3by:maybe decorator:c0 s4 decorator:c1
///     s1 singleton in c0 decorator:c0 fails:decorator:once
///     s1 async weak in c0 asyncAction s0 fails:action:once pause:sleep deinit:s0 deinit:scope
///     caller thread in c0 s0 s1
///     caller task in c1 s1 cancelled:3
///     watcher in c0 all timed asks:s1 after:2
///     change s0 release after:2
///     closing c0 close after:2
extension GraphDescription: CustomStringConvertible {
  public var description: String {
    var lines: [String] = []
    for (index, kind) in containers.enumerated() {
      switch kind {
      case .root: lines.append("c\(index) root")
      case .child(let parent): lines.append("c\(index) child of c\(parent)")
      case .scope(let parent): lines.append("c\(index) scope of c\(parent)")
      case .request(let parent): lines.append("c\(index) request of c\(parent)")
      }
    }
    for (index, service) in services.enumerated() { lines.append("s\(index) \(service)") }
    lines += callers.map { "caller \($0)" }
    lines += watchers.map { "watcher \($0)" }
    lines += changes.map { "change s\($0.service) \($0.kind.rawValue) after:\($0.after)" }
    lines += closings.map { "closing c\($0.container) \($0.kind.rawValue) after:\($0.after)" }
    return lines.joined(separator: "\n")
  }
}

extension ServiceDescription: CustomStringConvertible {
  public var description: String {
    var words = isAsync ? ["async"] : []
    if isWired { words.append("wired") }
    words += [lifetime.rawValue, "in", "c\(container)"]
    if !factory.isEmpty { words += ["factory"] + factory.map(\.description) }
    for decorator in decorators {
      words += ["decorator:c\(decorator.container)"] + decorator.needs.map(\.description)
    }
    for action in actions {
      words += [action.isAsync ? "asyncAction" : "action"] + action.needs.map(\.description)
    }
    if let failure {
      words.append("fails:\(failure.place.rawValue):\(failure.isPermanent ? "always" : "once")")
    }
    if let disposer { words.append("disposer:\(disposer.rawValue)") }
    if pause != .none { words.append("pause:\(pause.rawValue)") }
    words += farewells.map(\.description)
    return words.joined(separator: " ")
  }
}

extension Need: CustomStringConvertible {
  public var description: String {
    "s\(target)" + (isOptional ? "?" : "") + (route == .resolver ? "" : "by:\(route.rawValue)")
  }
}

extension CallerDescription: CustomStringConvertible {
  public var description: String {
    var words = [isTask ? "task" : "thread", "in", "c\(container)"] + services.map { "s\($0)" }
    if let cancelledAfter { words.append("cancelled:\(cancelledAfter)") }
    return words.joined(separator: " ")
  }
}

/// A line that does not describe a part of a graph.
public struct GraphTextError: Error, CustomStringConvertible {
  public let line: String

  public var description: String { "not a line of a graph: '\(line)'" }
}

extension GraphDescription {
  /// Reads the text of ``description``. Skips empty lines and lines that begin with `#`.
  public init(text: String) throws(GraphTextError) {
    self.init(containers: [])
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      guard read(first, words.dropFirst()) else { throw GraphTextError(line: String(line)) }
    }
    if containers.isEmpty { containers = [.root] }
  }

  private mutating func read(_ first: Substring, _ words: ArraySlice<Substring>) -> Bool {
    if first == "caller" { return CallerDescription(words).map { callers.append($0) } != nil }
    if first == "closing" { return ClosingDescription(words).map { closings.append($0) } != nil }
    if first == "change" { return ChangeDescription(words).map { changes.append($0) } != nil }
    if first == "watcher" { return WatcherDescription(words).map { watchers.append($0) } != nil }
    if first.hasPrefix("s") {
      return ServiceDescription(words).map { services.append($0) } != nil
    }
    guard first.hasPrefix("c"), let kind = words.first, let last = words.last else { return false }
    switch (kind, last.index(after: "c")) {
    case ("root", _): containers.append(.root)
    case ("child", let parent?): containers.append(.child(of: parent))
    case ("scope", let parent?): containers.append(.scope(of: parent))
    case ("request", let parent?): containers.append(.request(of: parent))
    default: return false
    }
    return true
  }
}

extension ServiceDescription {
  fileprivate init?(_ words: ArraySlice<Substring>) {
    var words = words
    let isAsync = words.first == "async"
    if isAsync { words.removeFirst() }
    let isWired = words.first == "wired"
    if isWired { words.removeFirst() }
    guard let lifetime = words.popFirst().flatMap({ Lifetime(rawValue: String($0)) }),
      words.popFirst() == "in", let container = words.popFirst()?.index(after: "c")
    else { return nil }
    self.init(lifetime)
    self.isAsync = isAsync
    self.isWired = isWired
    self.container = container
    for word in words where !read(word) { return nil }
  }

  private mutating func read(_ word: Substring) -> Bool {
    let parts = word.split(separator: ":")
    switch parts[0] {
    case "factory": actions = []
    case "decorator":
      guard let container = parts.last?.index(after: "c") else { return false }
      decorators.append(DecoratorDescription(in: container))
    case "action": actions.append(ActionDescription())
    case "asyncAction": actions.append(ActionDescription(isAsync: true))
    case "fails":
      guard parts.count == 3, let place = FailureDescription.Place(rawValue: String(parts[1]))
      else { return false }
      failure = FailureDescription(place, isPermanent: parts[2] == "always")
    case "disposer": disposer = parts.last.flatMap { DisposerKind(rawValue: String($0)) }
    case "pause": pause = parts.last.flatMap { Pause(rawValue: String($0)) } ?? .none
    case "deinit":
      guard let farewell = parts.last.flatMap({ Farewell($0) }) else { return false }
      farewells.append(farewell)
    default:
      guard let need = Need(word) else { return false }
      if !actions.isEmpty {
        actions[actions.count - 1].needs.append(need)
      } else if !decorators.isEmpty {
        decorators[decorators.count - 1].needs.append(need)
      } else {
        factory.append(need)
      }
    }
    return true
  }
}

extension Need {
  fileprivate init?(_ word: Substring) {
    var parts = word.split(separator: ":")[...]
    guard var name = parts.popFirst() else { return nil }
    var route = Route.resolver
    if let text = parts.popFirst() {
      guard name.hasSuffix("by"), let read = Route(rawValue: String(text)) else { return nil }
      route = read
      name.removeLast(2)
    }
    let isOptional = name.hasSuffix("?")
    if isOptional { name.removeLast() }
    guard let target = name.index(after: "s") else { return nil }
    self.init(target, by: route, isOptional: isOptional)
  }
}

extension CallerDescription {
  fileprivate init?(_ words: ArraySlice<Substring>) {
    var words = words
    guard let kind = words.popFirst(), words.popFirst() == "in",
      let container = words.popFirst()?.index(after: "c")
    else { return nil }
    self.init(isTask: kind == "task", container: container)
    for word in words {
      if word.hasPrefix("cancelled:") {
        cancelledAfter = word.index(after: "cancelled:")
      } else if let service = word.index(after: "s") {
        services.append(service)
      } else {
        return nil
      }
    }
  }
}

extension ClosingDescription {
  fileprivate init?(_ words: ArraySlice<Substring>) {
    let words = Array(words)
    guard words.count == 3, let container = words[0].index(after: "c"),
      let kind = Kind(rawValue: String(words[1])), let after = words[2].index(after: "after:")
    else { return nil }
    self.init(container, by: kind, after: after)
  }
}

extension ChangeDescription {
  fileprivate init?(_ words: ArraySlice<Substring>) {
    let words = Array(words)
    guard words.count == 3, let service = words[0].index(after: "s"),
      let kind = Kind(rawValue: String(words[1])), let after = words[2].index(after: "after:")
    else { return nil }
    self.init(service, by: kind, after: after)
  }
}

extension Substring {
  /// The number that follows `prefix`.
  func index(after prefix: String) -> Int? {
    hasPrefix(prefix) ? Int(dropFirst(prefix.count)) : nil
  }
}
