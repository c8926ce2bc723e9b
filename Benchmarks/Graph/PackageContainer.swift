// SPDX-License-Identifier: MIT

import Corinth

/// A container of the packages of a graph. A package is a singleton under the package's name, whose
/// factory resolves the dependencies.
struct PackageContainer: Sendable {
  let container = Container()
  let names: [Name]

  /// The dependencies that the factory of a package resolves, by package.
  private var resolved: [[Int]]
  /// The dependencies for which a package holds a provider, by package.
  private var deferred: [[Int]]
  private let positions: [Name: Int]

  init(_ graph: PackageGraph) throws {
    names = graph.packages.map { Name($0) }
    positions = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    resolved = graph.dependencies
    deferred = graph.dependencies.map { _ in [] }
    for position in names.indices { try register(position) }
  }

  /// Registers a package, or overrides the package's registration.
  func register(_ position: Int) throws {
    let dependencies = resolved[position].map { names[$0] }
    let deferred = deferred[position].map { names[$0] }
    try container.register(Package.self, name: names[position], scope: .singleton) { resolver in
      Package(
        position: position,
        dependencies: try dependencies.map { try resolver.resolve(Package.self, name: $0) },
        deferred: try deferred.map { try resolver.provider(for: Package.self, name: $0) })
    }
  }

  /// Resolves every package once, and calls every provider of every package.
  ///
  /// When the container reports a cycle, a provider takes the place of the closing edge, and the
  /// package is resolved again.
  ///
  /// - Returns: the cycles, each as positions from a package back to itself, and the longest chain.
  mutating func resolveAll() throws -> (cycles: [[Int]], depth: Int) {
    var cycles: [[Int]] = []
    var depth = 0
    for position in names.indices {
      var package: Package?
      while package == nil {
        do {
          package = try container.resolve(Package.self, name: names[position])
        } catch {
          guard case ResolutionError.circularDependencyDetected(let context) = error else {
            throw error
          }
          cycles.append(try close(context.path))
        }
      }
      depth = max(depth, package?.depth ?? 0)
    }
    for name in names {
      for provider in try container.resolve(Package.self, name: name).deferred {
        _ = try provider()
      }
    }
    return (cycles, depth)
  }

  /// - Parameter path: the path of a resolution that ended when a package was met for the second
  ///   time.
  /// - Returns: the part of the path that is the cycle.
  private mutating func close(_ path: [RegistrationKey]) throws -> [Int] {
    let visited = path.compactMap { key in key.name.flatMap { positions[$0] } }
    guard visited.count == path.count, let target = visited.last,
      let start = visited.dropLast().lastIndex(of: target)
    else { throw PathError(path: path) }
    let holder = visited[visited.count - 2]
    guard let edge = resolved[holder].firstIndex(of: target) else { throw PathError(path: path) }
    deferred[holder].append(resolved[holder].remove(at: edge))
    try register(holder)
    return Array(visited[start...])
  }

  /// The container reported a path that does not follow the graph or does not end where it began.
  private struct PathError: Error, CustomStringConvertible {
    let path: [RegistrationKey]

    var description: String {
      "The path of a cycle is not one of the graph: "
        + path.map(\.description).joined(separator: " -> ")
    }
  }
}
