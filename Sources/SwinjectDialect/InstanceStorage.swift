// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// Holds the instance of a service, according to the service's scope.
///
/// If the storage is your own, a function runs on one thread at a time.
public protocol InstanceStorage: AnyObject {
  /// The instance; `nil` for none.
  var instance: Any? { get set }
  /// Called when the outermost resolve in which an instance was stored ends.
  func graphResolutionCompleted()
  /// The instance of a graph; ``instance`` by default.
  func instance(inGraph graph: GraphIdentifier) -> Any?
  /// Stores the instance of a graph; sets ``instance`` by default.
  func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier)
}

extension InstanceStorage {
  public func graphResolutionCompleted() {}
  public func instance(inGraph _: GraphIdentifier) -> Any? { instance }
  public func setInstance(_ instance: Any?, inGraph _: GraphIdentifier) { self.instance = instance }
}

/// A storage that several threads may use at the same time.
protocol SharedStorage: InstanceStorage {
  var isShared: Bool { get }
  /// The lock for building an instance in a graph: `lock`, unless the storage has other locks or
  /// needs none.
  func lock(for graph: GraphIdentifier, or lock: ConstructionLock) -> ConstructionLock?
}

extension SharedStorage {
  var isShared: Bool { true }
  func lock(for _: GraphIdentifier, or lock: ConstructionLock) -> ConstructionLock? { lock }
}

/// Holds an instance for every graph: strongly until the graph ends, and weakly from then on.
///
/// ## Concurrency
/// Safe to use from any thread.
public final class GraphStorage: SharedStorage {
  private let held = SharedValue<Any?>(nil)
  public var instance: Any? {
    get { held.value }
    set { held.value = newValue }
  }

  public init() {}

  public func graphResolutionCompleted() { instance = nil }

  public func instance(inGraph graph: GraphIdentifier) -> Any? {
    graph.resolution.instance(of: self)
  }

  public func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) {
    guard let instance else { return graph.resolution.set(nil, of: self) }
    set(instance, inGraph: graph)
  }

  func set(_ instance: Any, inGraph graph: GraphIdentifier) {
    if let object = object(of: instance) { return graph.resolution.set(object, of: self) }
    let (object, value) = parts(of: instance)
    graph.resolution.set(object ?? value.map(PlacedValue.init), of: self)
  }

  func lock(for graph: GraphIdentifier, or lock: ConstructionLock) -> ConstructionLock? {
    graph.resolution.isShared ? graph.resolution.lock(of: self, or: lock.another) : nil
  }
}

/// Holds the instance until ``instance`` is set to `nil`.
///
/// ## Concurrency
/// Safe to use from any thread.
public final class PermanentStorage: SharedStorage {
  let held = SharedReference(HeldInstance(missing))
  public var instance: Any? {
    get { optional(held.load().instance) }
    set { held.store(HeldInstance(newValue ?? missing)) }
  }

  public init() {}
}

/// Holds nothing.
///
/// ## Concurrency
/// Safe to use from any thread.
public final class TransientStorage: SharedStorage {
  public var instance: Any? {
    get { nil }
    set {}
  }

  public init() {}
}

/// Holds the instance weakly. A value without an object is not held.
///
/// ## Concurrency
/// Safe to use from any thread.
public final class WeakStorage: SharedStorage {
  private struct Held {
    weak let object: AnyObject?
    let value: Any?
  }

  private let held = SharedValue(Held(object: nil, value: nil))
  public var instance: Any? {
    get { held.value.object ?? held.value.value }
    set {
      let (object, value) = parts(of: newValue)
      held.value = Held(object: object, value: value)
    }
  }

  public init() {}
}

/// Reads from the first of several storages that has an instance, and writes to all of them. A read
/// asks every storage once: a weak instance may be gone by a second time.
///
/// ## Concurrency
/// Safe to use from any thread if all components are.
public final class CompositeStorage: SharedStorage {
  private let components: [any InstanceStorage]
  public var instance: Any? {
    get { components.reduce(nil) { $0 != nil ? $0 : $1.instance } }
    set { for component in components { component.instance = newValue } }
  }

  public init(_ components: [any InstanceStorage]) { self.components = components }

  public func graphResolutionCompleted() {
    for component in components { component.graphResolutionCompleted() }
  }

  public func instance(inGraph graph: GraphIdentifier) -> Any? {
    components.reduce(nil) { $0 != nil ? $0 : $1.instance(inGraph: graph) }
  }

  public func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) {
    for component in components { component.setInstance(instance, inGraph: graph) }
  }

  var isShared: Bool { components.allSatisfy { ($0 as? any SharedStorage)?.isShared ?? false } }
}

/// The parts of an instance that a weak storage holds: an object, alone or in an optional, or a
/// number or a missing value, which Swinject shares too. A weak storage holds nothing of other
/// values.
private func parts(of instance: Any?) -> (object: AnyObject?, value: Any?) {
  guard let instance else { return (nil, nil) }
  if let object = object(of: instance) { return (object, nil) }
  let type = type(of: instance)
  if optionalType(type) != nil, let optional = instance as? any OptionalType {
    guard let wrapped = optional.wrapped else { return (nil, instance) }
    let (object, value) = parts(of: wrapped)
    return (object, value.map { _ in instance })
  }
  let isNumber = type == Int.self || type == Double.self || type == Float.self
  return (nil, isNumber ? instance : nil)
}
