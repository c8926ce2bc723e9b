// SPDX-License-Identifier: MIT

extension RegistrationRecord {
  /// The number of nested constructions of one key: few, so that little stack is needed.
  private static var recursionsAtMost: Int { 16 }

  /// Refuses a cycle through a transient that makes and uses a new lazy value or property every
  /// time. No further check finds the cycle: every round is a new construction, with a new path.
  ///
  /// - Parameters:
  ///   - construction: the context of the factory's resolver.
  ///   - target: the key to name in the error.
  func refuseRecursion(
    in construction: ResolutionContext?, of target: RegistrationKey
  ) throws(ResolutionError) {
    var recursions = 0
    let last = construction?.firstInChain { context in
      if context.asConstruction?.key == key { recursions += 1 }
      return recursions > Self.recursionsAtMost
    }
    if last != nil {
      throw .circularDependencyDetected(ResolutionError.Context(cycle: [target]))
    }
  }
}

extension Construction {
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
