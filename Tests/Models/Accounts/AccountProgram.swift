// SPDX-License-Identifier: MIT

/// What the threads of one trial do with a tree of containers: registrations, and operations on
/// them.
public struct AccountProgram: Sendable {
  public var containers: [ContainerKind]
  /// They are registered in the first container before all else.
  public var keys: [Key]
  public var threads: [Thread]

  /// The first container is the root.
  public struct ContainerKind: Sendable {
    public enum Relation: String, CaseIterable, Sendable {
      case root, child, scope, fork
    }

    public var relation: Relation
    /// How it ends after the threads: closed, or just dropped.
    public var isDropped = false
  }

  public struct Key: Sendable {
    public enum Lifetime: String, CaseIterable, Sendable {
      case singleton, scoped, cached, weak
    }

    public enum DisposerKind: String, Sendable {
      case sync, async
    }

    /// The way in which threads change the registration. One for each key: an instance has the
    /// disposers of the registration that it was built from, and a replacement takes over those
    /// that it finds.
    public enum Change: String, CaseIterable, Sendable {
      case replace, register, override
    }

    /// What the registering thread does between the modifiers, beside those that resolve. Scopes
    /// and forks end afterwards.
    public enum Between: String, CaseIterable, Sendable {
      case nothing, resolve, scope, fork
    }

    public var lifetime = Lifetime.singleton
    public var isAsync = false
    /// Only where the container knows the end of an instance: singletons and scoped ones.
    public var disposer: DisposerKind?
    public var change = Change.replace
    /// Whether the scope of a singleton or a scoped instance comes with a modifier, in place of the
    /// other one.
    public var chainsScope = false
    /// Whether the action comes before the disposer.
    public var actsFirst = false
    public var between = Between.nothing
    /// A time between the modifiers.
    public var chainPause = 0
    /// A later key that the factory resolves.
    public var need: Int?
    /// Every how many runs the factory fails; 0 for never.
    public var factoryFailsEvery = 0
    /// The same for the action; `nil` for no action.
    public var actionFailsEvery: Int?
    /// A time that the factory takes.
    public var pause = 0
    /// Whether the deinit of an instance resolves its need.
    public var resolvesAtTheEnd = false
  }

  /// A thread or a task.
  public struct Thread: Sendable {
    public var isTask = false
    public var operations: [Operation] = []
  }

  public struct Operation: Sendable {
    public var kind: Kind
    public var container = 0
    public var pause = 0
  }

  public enum Kind: Sendable {
    case resolve(Int)
    case release(Int)
    case releaseAll
    case unregister(Int)
    /// Registers a key once more.
    case register(Int)
    case override(Int)
    /// Undoes the last override of this thread.
    case restore
    /// Builds a new instance first.
    case replace(Int, disposesOld: Bool)
    case dispose(Int)
    /// A request scope with an instance in it.
    case scope(Int, closes: Bool)
    case fork(Int, closes: Bool)
    case close
    case shutdown
  }
}

extension AccountProgram: CustomStringConvertible {
  public var description: String {
    var lines = containers.enumerated().map { index, container in
      "c\(index) \(container.relation.rawValue)\(container.isDropped ? " dropped" : "")"
    }
    lines += keys.enumerated().map { "k\($0) \($1)" }
    lines += threads.map(\.description)
    return lines.joined(separator: "\n")
  }
}

extension AccountProgram.Key: CustomStringConvertible {
  public var description: String {
    var words = isAsync ? ["async"] : []
    words += [lifetime.rawValue, "change:\(change.rawValue)"]
    if let disposer { words.append("disposer:\(disposer.rawValue)") }
    if chainsScope { words.append("chained") }
    if actsFirst { words.append("action-first") }
    if between != .nothing { words.append("between:\(between.rawValue)") }
    if chainPause > 0 { words.append("chain-pause:\(chainPause)") }
    if let need { words.append("needs:k\(need)") }
    if factoryFailsEvery > 0 { words.append("factory-fails-every:\(factoryFailsEvery)") }
    if let actionFailsEvery {
      words.append(actionFailsEvery > 0 ? "action-fails-every:\(actionFailsEvery)" : "action")
    }
    if pause > 0 { words.append("pause:\(pause)") }
    if resolvesAtTheEnd { words.append("deinit:resolve") }
    return words.joined(separator: " ")
  }
}

extension AccountProgram.Thread: CustomStringConvertible {
  public var description: String {
    (isTask ? "task: " : "thread: ") + operations.map(\.description).joined(separator: ", ")
  }
}

extension AccountProgram.Operation: CustomStringConvertible {
  public var description: String {
    let text =
      switch kind {
      case .resolve(let key): "resolve k\(key)"
      case .release(let key): "release k\(key)"
      case .releaseAll: "releaseAll"
      case .unregister(let key): "unregister k\(key)"
      case .register(let key): "register k\(key)"
      case .override(let key): "override k\(key)"
      case .restore: "restore"
      case .replace(let key, let disposesOld):
        "replace k\(key)\(disposesOld ? " and dispose of the old one" : "")"
      case .dispose(let key): "dispose of k\(key)"
      case .scope(let key, let closes): "\(closes ? "close" : "drop") a scope with k\(key)"
      case .fork(let key, let closes): "\(closes ? "close" : "drop") a fork with k\(key)"
      case .close: "close"
      case .shutdown: "shut down"
      }
    return "\(text) in c\(container)" + (pause > 0 ? " after \(pause)" : "")
  }

  /// The key that it is about.
  var key: Int? {
    switch kind {
    case .resolve(let key), .release(let key), .unregister(let key), .register(let key),
      .override(let key), .replace(let key, _), .dispose(let key), .scope(let key, _),
      .fork(let key, _):
      key
    case .releaseAll, .restore, .close, .shutdown: nil
    }
  }
}
