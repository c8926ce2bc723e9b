// SPDX-License-Identifier: MIT

/// A package as an input describes it.
struct PackageEntry: Equatable, Sendable {
  let name: String
  var dependencies: [String]
}

/// Packages and the dependencies, by position.
struct PackageGraph: Sendable {
  let packages: [String]
  /// The positions of the direct dependencies of a package, every dependency once.
  let dependencies: [[Int]]
  /// How many dependencies were left out because the input does not describe them.
  let absentDependencies: Int

  /// - Parameter entries: each name once.
  init(_ entries: [PackageEntry]) {
    let positions = Dictionary(
      uniqueKeysWithValues: entries.enumerated().map { ($1.name, $0) })
    var absent = 0
    packages = entries.map(\.name)
    dependencies = entries.map { entry in
      var seen: Set<String> = []
      return entry.dependencies.filter { seen.insert($0).inserted }.compactMap { name in
        if positions[name] == nil { absent += 1 }
        return positions[name]
      }
    }
    absentDependencies = absent
  }

  var edgeCount: Int { dependencies.reduce(0) { $0 + $1.count } }

  /// All packages, by descending number of dependents; equal packages in the input's order.
  var byPopularity: [Int] {
    var dependents = [Int](repeating: 0, count: packages.count)
    for dependency in dependencies.joined() { dependents[dependency] += 1 }
    return packages.indices.sorted { (-dependents[$0], $0) < (-dependents[$1], $1) }
  }
}
