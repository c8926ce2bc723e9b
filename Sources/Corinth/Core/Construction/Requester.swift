// SPDX-License-Identifier: MIT

internal import Synchronization

extension ResolutionContext {
  /// The key of the registration that has asked for what is built in this context; `nil` if nothing was being built.
  ///
  /// It is the one whose resolver was asked, or else the one that the thread or task is building. Contexts that build
  /// nothing of their own are passed over.
  final var requesterKey: RegistrationKey? {
    var next = requesting ?? enclosing
    while let context = next, !context.isFinished {
      if let key = context.builtKey { return key }
      next = context.requesting ?? context.enclosing
    }
    return nil
  }

  /// The key of the registration that is being built in it; `nil` if it only leads to others.
  private final var builtKey: RegistrationKey? {
    if let resolution = self as? TransientResolution { return resolution.builtSlot?.key }
    if marks.load(ordering: .relaxed) & Mark.passingOn != 0 { return nil }
    return asConstruction?.key
  }

  /// Notes that the instance of another registration is passed on: who asks for it is the context around this one.
  final func markPassingOn() {
    marks.bitwiseOr(Mark.passingOn, ordering: .relaxed)
  }
}
