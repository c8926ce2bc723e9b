// SPDX-License-Identifier: MIT

internal import Corinth

/// Identifies a graph of objects: what one resolve from outside of all factories makes.
///
/// ```swift
/// container.register(Loader.self) { r in Loader(graph: r.resolve(GraphIdentifier.self)) }
/// ```
///
/// As long as an identifier exists, the graph can be resumed with ``Container/withObjectGraph(_:closure:)``: resolves in it
/// share the objects of the graph that are still in use.
///
/// ## Concurrency
/// Safe to use from any thread. Threads that are in one graph at the same time share its objects.
public struct GraphIdentifier: Identifiable, Equatable, Hashable, Sendable {
  /// A random number.
  public var id: UInt { resolution.number }
  let resolution = ResumableResolution()

  public static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
