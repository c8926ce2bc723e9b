// SPDX-License-Identifier: MIT

package import Corinth

/// Finds the registrations of a container that keep the container alive.
///
/// The search releases all registrations of the searched container. Other code may use the first
/// container, so the check searches a second container, made in the same way and known to nobody
/// else.
package struct ReleaseCheck: Sendable {
  private let end: ContainerEnd

  /// - Parameter container: the caller lets go of the container before the check.
  package init(of container: Container) {
    end = ContainerEnd(of: container)
  }

  /// The failure of a container kept alive by registrations.
  ///
  /// - Parameter make: makes a second container; called only if the first container is still alive.
  ///   The check passes if `make` throws, or returns the first container again.
  /// - Returns: the text; `nil` for no failure.
  package func failure(makingAnother make: () throws -> Container) -> String? {
    if end.hasCome { return nil }
    return (try? ContainerEnd(of: make())).flatMap(failure)
  }

  /// Works like the synchronous form.
  nonisolated(nonsending)
    package func failure(
      makingAnother make: nonisolated(nonsending) () async throws -> Container
    ) async -> String?
  {
    if end.hasCome { return nil }
    return (try? ContainerEnd(of: await make())).flatMap(failure)
  }

  private func failure(of other: ContainerEnd) -> String? {
    if other == end || other.hasCome { return nil }
    let keepers = other.findKeepers()
    if keepers.isEmpty { return nil }
    let lines = keepers.map { "  \($0.text), registered at \($0.location)" }
    return """
      A container is never released: its own registrations keep it alive.
      \(lines.joined(separator: "\n"))
        hint: a factory resolves from the resolver that it is given, or captures the container weakly; \
      an instance has a `Provider` or a `Lazy`.
      """
  }
}

extension ContainerKeeper {
  fileprivate var text: String {
    switch part {
    case .factory: "the factory of \(subject) captures the container, or an object that has it"
    case .instance: "the instance of \(subject) has a reference to the container"
    case .decorator: "the decorator of \(subject) captures the container"
    }
  }
}
