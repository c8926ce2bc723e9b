// SPDX-License-Identifier: MIT

extension Container: CustomStringConvertible, CustomDebugStringConvertible {
  /// A single line, such as `Container with 12 registrations, 3 of them built; its parent: ...`. No
  /// factory runs.
  ///
  /// Lock-free.
  public var description: String {
    let own = summary
    guard let parent = describedParent else { return own }
    return "\(own); its parent: \(parent)"
  }

  /// The registrations of this container and its ancestors, a line per registration, sorted by key.
  /// No factory runs.
  ///
  /// ```swift
  /// debugPrint(container)
  /// ```
  ///
  /// Lock-free.
  public var debugDescription: String {
    let lines = registrations.map { "\n  \($0)" }.sorted().joined()
    guard let parent = describedParent else { return summary + lines }
    return "\(summary)\(lines)\nparent: \(parent.debugDescription)"
  }

  /// The parent; for a version, the parent of the base: the version and the base are a single
  /// container.
  private var describedParent: Container? {
    registry.baseOfLayer == nil ? parent : parent?.parent
  }

  private var summary: String {
    let name = registry.scopeName.map { " \($0.value.literal)" } ?? ""
    let kind = registry.isScope ? "Request scope\(name)" : "Container"
    if registry.isClosed { return "\(kind), closed" }
    let registrations = registrations
    let built = registrations.filter(\.isBuilt).count
    let count = quantity(registrations.count, "registration")
    return "\(kind) with \(count)" + (built > 0 ? ", \(built) of them built" : "")
  }
}
