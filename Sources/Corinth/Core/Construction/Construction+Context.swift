// SPDX-License-Identifier: MIT

extension ResolutionContext {
  /// The context as a construction, for which resolves may wait.
  var asConstruction: Construction? { self as? Construction }
}

extension Construction {
  /// Whether the calling task is in the factory of an instance to be stored by `container`.
  static func isBuilding(for container: ContainerCore) -> Bool {
    runningInTask?.firstInChain {
      $0.asConstruction?.retainingContainer?.isWithin(container) ?? false
    } != nil
  }
}
