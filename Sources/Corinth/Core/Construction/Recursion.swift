// SPDX-License-Identifier: MIT

/// Recursions that never meet an instance under construction, and so end in no wait.
extension RegistrationRecord {
  /// How often a factory may recur if the recursion may end: because of different arguments, a
  /// different container, or an instance in between that is built only once.
  private static var recursionsAtMost: Int { 128 }

  /// Refuses an instance, built anew by every resolution, while an enclosing construction is
  /// already building it without an instance built once in between.
  ///
  /// - Parameter container: for a graph instance, the container asked.
  final func refuseRecursion(
    in container: ContainerCore?, _ arguments: AnyArguments?,
    requestedBy requester: ResolutionContext?
  ) throws(ResolutionError) {
    try ResolutionContext.forEachInnermost(requestedBy: requester) {
      context throws(ResolutionError) in
      var recursions = 0
      var mayEnd = false
      let found = context.firstInChain { context in
        guard let construction = context.asConstruction else {
          if context.resumesAcrossInstanceBuiltOnce { mayEnd = true }
          return false
        }
        if construction.isBuiltOnce(for: requester) { mayEnd = true }
        guard construction.serial == serial else { return false }
        recursions += 1
        return recursions > Self.recursionsAtMost
          || !mayEnd && repeats(construction, in: container, arguments)
      }
      if found != nil {
        throw .circularDependencyDetected(ResolutionError.Context(cycle: [key]))
      }
    }
  }

  /// Whether a further construction of the registration would only repeat `construction`.
  private func repeats(
    _ construction: Construction, in container: ContainerCore?, _ arguments: AnyArguments?
  ) -> Bool {
    guard let container else { return arguments == nil }
    return arguments == nil && construction.container === container
      || construction.root.existingGraphPlace(of: self, in: container, arguments)?.isBuilding
        ?? false
  }
}

extension ResolutionContext {
  /// The number of nested constructions of one key: few, so that little stack is needed.
  private static var recursionsAtMost: Int { 16 }

  /// Refuses a cycle through a transient that makes and uses a new lazy value or property every
  /// time. No further check finds the cycle: every round is a new construction, with a new path.
  ///
  /// - Parameters:
  ///   - key: the key of the lazy value or property.
  ///   - construction: the context of the factory's resolver.
  ///   - target: the key to name in the error.
  static func refuseRecursion(
    of key: RegistrationKey, in construction: ResolutionContext?, naming target: RegistrationKey
  ) throws(ResolutionError) {
    var recursions = 0
    let last = construction?.firstInChain { context in
      if context.asConstruction?.key == key { recursions += 1 }
      return recursions > recursionsAtMost
    }
    if last != nil {
      throw .circularDependencyDetected(ResolutionError.Context(cycle: [target]))
    }
  }

  /// Whether an instance built once lies between the construction whose postponed actions run here
  /// and the construction around the run. Contexts between have ended by now, or go on elsewhere.
  fileprivate var resumesAcrossInstanceBuiltOnce: Bool {
    guard isResumption, let postponed = requesting else { return false }
    return postponed.hasBegun(within: enclosing) { $0.asConstruction?.retainingContainer != nil }
  }
}

extension Construction {
  /// Whether a further resolve by `requester` would find the instance, and not build a new one.
  fileprivate func isBuiltOnce(for requester: ResolutionContext?) -> Bool {
    isShared && (retainingContainer != nil || root === requester?.root)
  }

  /// Whether the construction is nested, and the calling thread's stack is almost used up.
  ///
  /// A resolve outside of all contexts is not refused: the fault would be in the caller's own
  /// frames. Nor does it read the end of the stack.
  ///
  /// - Parameter section: the innermost section of the thread, entered for this resolve.
  @inline(__always)
  func isTooDeep(_ section: Section) -> Bool {
    let isNested = enclosing != nil || requesting != nil || section.depth > 1
    return isNested && section.isStackLow
  }
}

extension ResolutionError {
  /// Out of line, to keep frames of nested resolves small.
  @inline(never)
  static func resolutionTooDeep(_ record: RegistrationRecord) -> ResolutionError {
    .resolutionTooDeep(Context(refusing: record))
  }
}
