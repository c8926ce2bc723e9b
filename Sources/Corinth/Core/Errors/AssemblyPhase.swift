// SPDX-License-Identifier: MIT

/// A step of applying an assembly.
public enum AssemblyPhase: Sendable, Hashable, CaseIterable {
  /// ``Assembly/preloaded(container:)``
  case preloading
  /// ``Assembly/assemble(container:)``
  case assembling
  /// ``Assembly/loaded(resolver:)``
  case loading

  var method: String {
    switch self {
    case .preloading: "preloaded(container:)"
    case .assembling: "assemble(container:)"
    case .loading: "loaded(resolver:)"
    }
  }
}
