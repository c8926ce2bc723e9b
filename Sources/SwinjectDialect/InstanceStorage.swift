// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// Holds the instance of a service, as the service's scope says.
///
/// Of a storage of your own, one thread at a time uses each function.
public protocol InstanceStorage: AnyObject {
  /// The instance; `nil` for none.
  var instance: Any? { get set }
  /// Called when the outermost resolve ends in which an instance was stored.
  func graphResolutionCompleted()
  /// The instance of a graph; ``instance`` by default.
  func instance(inGraph graph: GraphIdentifier) -> Any?
  /// Stores the instance of a graph; sets ``instance`` by default.
  func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier)
}

extension InstanceStorage {
  public func graphResolutionCompleted() {}
  public func instance(inGraph graph: GraphIdentifier) -> Any? { instance }
  public func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) {
    self.instance = instance
  }
}

/// A storage that several threads may use at the same time.
protocol SharedStorage: InstanceStorage {
  var isShared: Bool { get }
}

extension SharedStorage {
  var isShared: Bool { true }
}

/// Holds one instance in each graph, until the graph ends, and weakly from then on.
public final class GraphStorage: SharedStorage {
  private let held = SharedReference(Held(nil))
  public var instance: Any? {
    get { held.load().instance }
    set { held.store(Held(newValue)) }
  }

  public init() {}

  public func graphResolutionCompleted() { instance = nil }

  public func instance(inGraph graph: GraphIdentifier) -> Any? {
    graph.resolution.instance(of: self)
  }

  public func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) {
    let held = Held(weakly: instance)
    graph.resolution.set(held.instance, as: held.object, of: self)
  }
}

/// Holds its instance until that is set to `nil`.
public final class PermanentStorage: SharedStorage {
  private let held = SharedReference(Held(nil))
  public var instance: Any? {
    get { held.load().instance }
    set { held.store(Held(newValue)) }
  }

  public init() {}
}

/// Holds nothing.
public final class TransientStorage: SharedStorage {
  public var instance: Any? {
    get { nil }
    set {}
  }

  public init() {}
}

/// Holds its instance weakly. A value that is no object is not held.
public final class WeakStorage: SharedStorage {
  private let held = SharedReference(Held(weakly: nil))
  public var instance: Any? {
    get { held.load().instance }
    set { held.store(Held(weakly: newValue)) }
  }

  public init() {}
}

/// Reads from the first of several storages that has an instance, and writes to all of them.
public final class CompositeStorage: SharedStorage {
  private let components: [any InstanceStorage]
  public var instance: Any? {
    get { components.lazy.compactMap(\.instance).first }
    set { for component in components { component.instance = newValue } }
  }

  public init(_ components: [any InstanceStorage]) {
    self.components = components
  }

  public func graphResolutionCompleted() {
    for component in components { component.graphResolutionCompleted() }
  }

  public func instance(inGraph graph: GraphIdentifier) -> Any? {
    components.lazy.compactMap { $0.instance(inGraph: graph) }.first
  }

  public func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) {
    for component in components { component.setInstance(instance, inGraph: graph) }
  }

  var isShared: Bool { components.allSatisfy { ($0 as? any SharedStorage)?.isShared ?? false } }
}

/// What a storage holds.
// SAFETY: constant. Threads share the instance, as the manual says.
private final class Held: @unchecked Sendable {
  weak let object: AnyObject?
  private let value: Any?

  var instance: Any? { value ?? object }

  init(_ instance: Any?) {
    value = instance
    object = nil
  }

  /// An object weakly, alone or in an optional. A number or a missing value, which Swinject shares too, is held; other
  /// values are not.
  init(weakly instance: Any?) {
    let type = instance.map { Swift.type(of: $0) }
    if let instance, let type, optionalType(type) != nil,
      let optional = instance as? any OptionalValue
    {
      let wrapped = optional.wrapped.map { Held(weakly: $0) }
      object = wrapped?.object
      value = wrapped == nil || wrapped?.value != nil ? instance : nil
    } else {
      object = type is AnyClass ? instance as AnyObject : nil
      value = type == Int.self || type == Double.self || type == Float.self ? instance : nil
    }
  }
}

private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { self }
}
