// SPDX-License-Identifier: MIT

import Corinth

/// An installed package, with the packages that it depends on.
final class Package: Sendable {
  let dependencies: [Package]
  /// Those that would close a cycle.
  let later: [Provider<Package>]

  init(dependencies: [Package], later: [Provider<Package>]) {
    (self.dependencies, self.later) = (dependencies, later)
  }
}

/// The packages of a distribution as registrations under their names. What their factories resolve
/// is recorded.
struct Packages {
  private let dependencies: [(package: String, on: [String])]

  /// - Parameter text: lines of a package, a tab, and its dependencies.
  init(_ text: String) {
    dependencies = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      return (String(fields[0]), fields[1].split(separator: " ").map(String.init))
    }
  }

  /// A container whose packages are built, except the applications.
  func makeContainer() throws -> (container: Container, metrics: MetricsBehavior) {
    let container = Container()
    let metrics = MetricsBehavior()
    container.add(metrics)
    let closing = closingDependencies()
    let needed = Set(dependencies.flatMap(\.on))
    for (number, (package, all)) in dependencies.enumerated() {
      let later = all.filter { closing.contains([package, $0]) }
      let now = all.filter { !closing.contains([package, $0]) }
      let scope: Scope<Package> =
        !needed.contains(package) ? .scoped : number % 10 == 0 ? .transient : .singleton
      try container.register(
        Package.self, name: Name(package), scope: scope, file: file(of: package), line: UInt(number)
      ) { resolver in
        Package(
          dependencies: try now.map { try resolver.resolve(Package.self, name: Name($0)) },
          later: try later.map { try resolver.provider(for: Package.self, name: Name($0)) })
      }
    }
    let recording = container.recordDependencies()
    try container.syncWithScope { scope in
      for (package, _) in dependencies { _ = try scope.resolve(Package.self, name: Name(package)) }
    }
    recording.stop()
    return (container, metrics)
  }

  /// The dependencies that lead back to a package that is being built when all are resolved in
  /// their order.
  private func closingDependencies() -> Set<[String]> {
    let all = Dictionary(uniqueKeysWithValues: dependencies.map { ($0.package, $0.on) })
    var closing: Set<[String]> = []
    var isComplete: [String: Bool] = [:]
    func visit(_ package: String) {
      isComplete[package] = false
      for dependency in all[package] ?? [] {
        switch isComplete[dependency] {
        case nil: visit(dependency)
        case false?: closing.insert([package, dependency])
        case true?: break
        }
      }
      isComplete[package] = true
    }
    for (package, _) in dependencies where isComplete[package] == nil { visit(package) }
    return closing
  }

  /// The file that could have registered the package: those of one beginning are together.
  private func file(of package: String) -> StaticString {
    let name = package.hasPrefix("lib") ? package.dropFirst(3) : package[...]
    return Self.families.first { name.hasPrefix($0.beginning) }?.file ?? "others/Packages.swift"
  }

  /// The longest beginnings first.
  private static let families: [(beginning: String, file: StaticString)] = [
    ("gstreamer", "gstreamer/Packages.swift"), ("pipewire", "pipewire/Packages.swift"),
    ("blockdev", "blockdev/Packages.swift"), ("reoffice", "libreoffice/Packages.swift"),
    ("python", "python/Packages.swift"), ("gnome", "gnome/Packages.swift"),
    ("rygel", "rygel/Packages.swift"), ("fonts", "fonts/Packages.swift"),
    ("glib", "glib/Packages.swift"), ("dbus", "dbus/Packages.swift"),
    ("perl", "perl/Packages.swift"), ("gir", "gir/Packages.swift"),
    ("gtk", "gtk/Packages.swift"), ("xcb", "xcb/Packages.swift"),
    ("xdg", "xdg/Packages.swift"), ("a", "a/Packages.swift"), ("b", "b/Packages.swift"),
    ("c", "c/Packages.swift"), ("d", "d/Packages.swift"), ("e", "e/Packages.swift"),
    ("f", "f/Packages.swift"), ("g", "g/Packages.swift"), ("h", "h/Packages.swift"),
    ("i", "i/Packages.swift"), ("j", "j/Packages.swift"), ("k", "k/Packages.swift"),
    ("l", "l/Packages.swift"), ("m", "m/Packages.swift"), ("n", "n/Packages.swift"),
    ("o", "o/Packages.swift"), ("p", "p/Packages.swift"), ("q", "q/Packages.swift"),
    ("r", "r/Packages.swift"), ("s", "s/Packages.swift"), ("t", "t/Packages.swift"),
    ("u", "u/Packages.swift"), ("v", "v/Packages.swift"), ("w", "w/Packages.swift"),
    ("x", "x/Packages.swift"), ("y", "y/Packages.swift"), ("z", "z/Packages.swift"),
  ]
}
