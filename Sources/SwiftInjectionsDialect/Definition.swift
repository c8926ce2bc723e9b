// SPDX-License-Identifier: MIT

public import Corinth

/// The way in which a block makes its object, so that other definitions find the object from then
/// on.
public struct Definition {
  @usableFromInline let assembly: Assembly
  @usableFromInline let key: Name
  @usableFromInline let scope: Scope
  /// The graph of the object; `nil` for a prototype, which no graph keeps.
  @usableFromInline let graph: Resolution?
  /// The graph's ``Resolution/publications`` as of a time without an object under the key; `.max`
  /// if the graph has an object.
  @usableFromInline let publications: UInt

  @inlinable
  init(
    _ assembly: Assembly, _ key: Name, _ scope: Scope, in graph: Resolution?,
    publications: UInt? = nil
  ) {
    self.publications = publications ?? .max
    self.assembly = assembly
    self.key = key
    self.scope = scope
    self.graph = graph
  }

  /// The object of this definition, made by `initBlock` if the object does not exist, and put into
  /// the graph.
  @inlinable
  public func initObject<T: AnyObject>(_ initBlock: @autoclosure () -> T) -> T {
    object(initBlock)
  }

  @inlinable
  func object<T>(_ initialize: () -> T) -> T {
    guard let graph else { return initialize() }
    if scope == .ObjectGraph, graph.publications != publications,
      let found: T = ObjectGraph.object(key, in: graph)
    {
      return found
    }
    let object = scope == .Singleton ? assembly.object(key, initialize) : initialize()
    graph.publish(object, named: key)
    return object
  }
}

// The precedence of the operator in Swift 2.
infix operator *~> : AssignmentPrecedence

/// The object of the definition, made by the expression on the right if the object does not exist,
/// and put into the graph.
///
/// An existing object may stand on the right: the operator puts the object into the graph, where
/// other definitions find the object.
@inlinable
public func *~> <T>(definition: Definition, objectInitClosure: @autoclosure () -> T) -> T {
  definition.object(objectInitClosure)
}
