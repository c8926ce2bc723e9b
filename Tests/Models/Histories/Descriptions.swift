// SPDX-License-Identifier: MIT

extension HistoryScript: CustomStringConvertible {
  public var description: String {
    func lines(_ name: String, _ operations: [Operation]) -> [String] {
      if operations.isEmpty { return [] }
      return ["\(name): " + operations.map(\.description).joined(separator: ", ")]
    }
    let text =
      lines("before", prelude)
      + threads.enumerated().flatMap { lines("thread \($0)", $1) }
    return (text + (collides ? ["keys collide"] : [])).joined(separator: "\n")
  }
}

extension HistoryScript.Operation: CustomStringConvertible {
  public var description: String {
    let what =
      switch kind {
      case .register(let registration): "register \(registration)"
      case .override(let registration): "override by \(registration)"
      case .unregister: "unregister"
      case .resolve(let way): way == .plain ? "resolve" : "resolve (\(way))"
      case .contains(let view): view == .own ? "contains" : "contains (child)"
      case .release: "release"
      }
    return "\(what) of key \(key)"
  }
}

extension HistoryScript.Registration: CustomStringConvertible {
  public var description: String { "#\(number) (\(lifetime))" }
}

extension HistoryEvent: CustomStringConvertible {
  public var description: String {
    let place = thread.map { "thread \($0)" } ?? "before  "
    return "\(place) from \(time.lowerBound) to \(time.upperBound): \(operation) -> \(outcome)"
  }
}

extension HistoryEvent.Outcome: CustomStringConvertible {
  public var description: String {
    switch self {
    case .answer(let answer): answer ? "yes" : "no"
    case .instance(let found):
      found.map { "instance \($0.number), built by #\($0.registration)" } ?? "nothing registered"
    case .unexpected(let error): error
    }
  }
}

extension LinearizabilityChecker.Violation: CustomStringConvertible {
  var description: String {
    func list(_ events: [HistoryEvent]) -> String {
      events.map { "  \($0)\n" }.joined()
    }
    return "The longest order that is right:\n\(list(order))No order has room for all of these:\n"
      + list(left)
  }
}
