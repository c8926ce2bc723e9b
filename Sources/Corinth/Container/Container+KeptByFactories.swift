// SPDX-License-Identifier: MIT

/// Notices the deinit of a container, for the products that test applications. Does not keep the
/// container alive.
package struct ContainerEnd: Sendable, Equatable {
  private let core: ContainerCore

  package init(of container: Container) {
    core = container.registry
  }

  /// Whether the container is gone.
  package var hasCome: Bool {
    for _ in 0..<20 where core.container != nil {
      // Replaced registrations that wait for readers may capture the container.
      Reclamation.reclaimAll()
    }
    return core.container == nil
  }

  /// Whether both are ends of one container.
  package static func == (first: ContainerEnd, second: ContainerEnd) -> Bool {
    first.core === second.core
  }

  /// Releases the registrations of a container that nobody uses any more.
  ///
  /// - Returns: the parts that have kept the container; none if anything else keeps the container.
  package func findKeepers() -> [ContainerKeeper] {
    let keepers = releaseParts()
    return hasCome ? keepers : []
  }

  // Out of line: it has a reference to the container.
  @inline(never)
  private func releaseParts() -> [ContainerKeeper] {
    guard let container = core.container else { return [] }
    return ContainerKeeper.ending(core, of: container)
  }
}
