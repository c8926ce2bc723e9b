// SPDX-License-Identifier: MIT

public import Corinth

/// How a block makes its object, so that other definitions find it from then on.
public struct Definition {
  @usableFromInline let assembly: Assembly
  @usableFromInline let key: Name
  @usableFromInline let scope: Scope
  /// `nil` for a prototype, which is kept nowhere.
  @usableFromInline let graph: Resolution?
  /// What the graph's ``Resolution/publications`` are as long as it has nothing under the key; `.max` if it has.
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

  /// The object of this definition, made by `initBlock` if there is none, and put into the graph.
  @inlinable
  public func initObject<T: AnyObject>(_ initBlock: @autoclosure () -> T) -> T {
    object(initBlock)
  }

  @inlinable
  func object<T>(_ initialise: () -> T) -> T {
    guard let graph else { return initialise() }
    if scope == .ObjectGraph, graph.publications != publications,
      let found: T = ObjectGraph.object(key, in: graph)
    {
      return found
    }
    let object = scope == .Singleton ? assembly.singleton(key, initialise) : initialise()
    graph.publish(object, named: key)
    return object
  }
}

// The precedence that it had in Swift 2.
infix operator *~> : AssignmentPrecedence

/// The object of the definition, made by the expression on the right if there is none, and put into the graph.
///
/// An object that exists already may stand on the right: it is put into the graph for others to find.
@inlinable
public func *~> <T>(definition: Definition, objectInitClosure: @autoclosure () -> T) -> T {
  definition.object(objectInitClosure)
}
