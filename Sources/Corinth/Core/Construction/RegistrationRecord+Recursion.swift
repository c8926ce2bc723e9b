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
