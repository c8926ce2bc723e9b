// SPDX-License-Identifier: MIT

internal import Synchronization

extension ResolutionContext {
  /// The key of the registration that asked for the context's instance; `nil` for a caller outside.
  ///
  /// The requesting registration is found from the context whose resolver was asked, or else from
  /// the context of the thread or task. Contexts that build nothing are passed over.
  final var requesterKey: RegistrationKey? {
    var next = requesting ?? enclosing
    while let context = next, !context.isFinished {
      if let key = context.builtKey { return key }
      next = context.requesting ?? context.enclosing
    }
    return nil
  }

  /// The key of the registration built in the context; `nil` if the context only leads outwards.
  private final var builtKey: RegistrationKey? {
    if let builtSlot { return builtSlot.key }
    if marks.load(ordering: .relaxed) & Mark.passingOn != 0 { return nil }
    return asConstruction?.key
  }

  /// Notes that the context only passes an instance on: the requester is the context around.
  final func markPassingOn() {
    marks.bitwiseOr(Mark.passingOn, ordering: .relaxed)
  }
}

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
