// SPDX-License-Identifier: MIT

/// A step of applying an assembly.
public enum AssemblyPhase: Sendable, Hashable, CaseIterable {
  /// ``Assembly/preloaded(container:)``
  case preloading
  /// ``Assembly/assemble(container:)``
  case assembling
  /// ``Assembly/loaded(resolver:)``
  case loading

  fileprivate var method: String {
    switch self {
    case .preloading: "preloaded(container:)"
    case .assembling: "assemble(container:)"
    case .loading: "loaded(resolver:)"
    }
  }
}

/// An assembly threw an error. Those after it were not applied.
///
/// ```swift
/// do { try assembler.apply(assemblies: modules) } catch let error as AssemblyError {
///   print(error.assembly, error.underlyingError)
/// }
/// ```
public struct AssemblyError: Error {
  /// The name of the assembly's type.
  public let assembly: String
  /// The step that failed.
  public let phase: AssemblyPhase
  /// The error that the assembly threw.
  public let underlyingError: any Error
}

extension AssemblyError: CausedError {
  var causes: [any Error] { [underlyingError] }
}

extension AssemblyError: CustomStringConvertible {
  /// The name of the assembly, the step, and the error.
  public var description: String {
    """
    \(assembly) could not be applied: its \(phase.method) failed: \(underlyingError)
      hint: what was done before stays; apply the assemblies again, and they go on with this step.
    """
  }
}
