// SPDX-License-Identifier: MIT

/// The cells of graph instances of a container that takes part in a resolution begun by a resolve
/// of another container. A cell of the resolution holds the object.
final class GraphCells: Sendable {
  let made = MadeCells()

  /// Owns such cells in place of a container, which may end before the resolutions.
  final class Owner: Sendable {}
}

extension ResolutionContext {
  /// The cells of another container, in the resolution that begins here, if made already.
  final func furtherCells(of container: ContainerCore) -> GraphCells? {
    guard let owner = container.extrasIfMade?.ownerOfGraphCells.load() else { return nil }
    return unsafe ownCells.cells?.object(ownedBy: .passUnretained(owner))
  }

  /// As ``furtherCells(of:)``, made on first use; `nil` after the end.
  final func furtherCells(orMakeFor container: ContainerCore) -> GraphCells? {
    let owners = container.extras
    let owner =
      owners.ownerOfGraphCells.load() ?? owners.ownerOfGraphCells.storeIfNil(GraphCells.Owner())
    return unsafe ownCells.orMake()?.object(ownedBy: .passUnretained(owner)) { GraphCells() }
  }
}
