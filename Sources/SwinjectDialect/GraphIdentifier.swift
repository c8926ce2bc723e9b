// SPDX-License-Identifier: MIT

internal import DialectSupport

/// Identifies a graph of objects: all objects that a resolve from outside of all factories makes.
///
/// ```swift
/// container.register(Loader.self) { r in Loader(graph: r.resolve(GraphIdentifier.self)) }
/// ```
///
/// As long as an identifier exists, ``Container/withObjectGraph(_:closure:)`` can resume the graph:
/// resolves in the graph share the objects that are still in use.
///
/// ## Concurrency
/// Safe to use from any thread. Threads that are in a graph at the same time share the objects of
/// the graph.
public struct GraphIdentifier: Identifiable, Equatable, Hashable, Sendable {
  /// A random number.
  public var id: UInt { resolution.number }
  let resolution = ResumableResolution()

  public static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
