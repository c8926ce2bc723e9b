// SPDX-License-Identifier: MIT

public import Corinth

extension Assembly {
  /// The object of a singleton, made by `initialize` if the object does not exist. The closure
  /// belongs to the caller: no registration may keep it.
  @inlinable
  func object<T>(_ key: Name, _ initialize: () -> T) -> T {
    let singleton = singleton(of: T.self, key)
    if let found = singleton.object.value, let object = found as? T { return object }
    return ObjectGraph.orStop {
      let found = try singleton.object.resolve(in: singletons, name: key) { initialize() }
      if let object = found as? T { return object }
      // A second definition uses the key for an object of a different type.
      return try singletons.resolveOrBuild(name: key) { _ in
        PropertyValue<T, Void>(())
      }.resolve(in: singletons, name: key, building: initialize)
    }
  }

  /// Runs the blocks of a singleton one after the other, since a block may write to an object that
  /// other threads have, too.
  @inlinable
  func injectAlone<T>(_ definition: Definition, _ injectBlock: (Definition) -> T) -> T {
    let singleton = singleton(of: T.self, definition.key)
    do {
      return try singleton.lock.withLock { injectBlock(definition) }
    } catch {
      return object(definition, singleton, insteadOf: error, injectBlock)
    }
  }

  @inlinable
  func singleton<T>(of type: T.Type, _ key: Name) -> Singleton {
    ObjectGraph.orStop {
      try singletons.resolveIfRegistered(Singleton.self, name: key) ?? newSingleton(of: type, key)
    }
  }

  /// Out of line: the closure with the key is allocated at each call.
  @usableFromInline @inline(never)
  func newSingleton<T>(of type: T.Type, _ key: Name) throws -> Singleton {
    try singletons.resolveOrBuild(name: key) {
      Singleton(lock: ConstructionLock(for: T.self, name: key, in: $0))
    }
  }

  /// The object of a singleton whose block runs, and waits for the caller.
  ///
  /// The object in its current state, if already made: the block continues after the caller.
  /// Otherwise the block has not made the object yet, and a nested run of the block makes the
  /// object.
  @inlinable
  func object<T>(
    _ definition: Definition, _ singleton: Singleton, insteadOf error: any Error,
    _ injectBlock: (Definition) -> T
  ) -> T {
    guard case ResolutionError.circularDependencyDetected = error, let graph = definition.graph
    else { ObjectGraph.stop(error) }
    if let found = singleton.object.value, let object = found as? T { return object }
    let nesting = graph.instance(of: Nesting.self, name: definition.key)?.depth ?? 0
    if nesting == Nesting.limit { ObjectGraph.stop(error) }
    graph.publish(Nesting(depth: nesting + 1), name: definition.key)
    return injectBlock(definition)
  }
}

/// A singleton's object, and the lock of the blocks, under the key of the singleton.
// SAFETY: constant; the program is responsible for what its threads do with the object.
@usableFromInline
final class Singleton: @unchecked Sendable {
  @usableFromInline let object = PropertyValue<Any, Void>(())
  @usableFromInline let lock: ConstructionLock

  init(lock: ConstructionLock) {
    self.lock = lock
  }
}

/// The depth to which the block of a singleton runs nested in itself.
@usableFromInline
struct Nesting {
  @usableFromInline static let limit = 16
  @usableFromInline let depth: Int

  @usableFromInline
  init(depth: Int) {
    self.depth = depth
  }
}
