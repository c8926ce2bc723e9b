// SPDX-License-Identifier: MIT

extension RegistrationRecord {
  /// The number of constructions of one key that may be inside of each other: few, so that their stack is small.
  private static var recursionsAtMost: Int { 16 }

  /// Refuses a cycle through a transient that makes and uses a lazy value, or a property, of its own each time. No
  /// other check finds it: each of them is another construction, and begins a path of its own.
  ///
  /// - Parameters:
  ///   - construction: the context of the resolver of this registration's factory.
  ///   - target: what the error names.
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
  /// Whether it begins inside of others, and too little is left of the calling thread's stack.
  ///
  /// A resolve that is inside of nothing is not refused: that would find fault with the caller's own frames. It does not
  /// read where the stack ends either.
  ///
  /// - Parameter section: the innermost one of the thread, made for this resolve.
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
