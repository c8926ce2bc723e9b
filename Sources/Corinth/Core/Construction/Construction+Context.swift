// SPDX-License-Identifier: MIT

extension ResolutionContext {
  /// This as a construction that other resolves may wait for.
  var asConstruction: Construction? { self as? Construction }
}

extension Construction {
  /// Whether the calling task is running the factory of an instance that `container` will store.
  static func isBuilding(for container: ContainerCore) -> Bool {
    runningInTask?.firstInChain {
      $0.asConstruction?.retainingContainer?.isWithin(container) ?? false
    } != nil
  }
}
