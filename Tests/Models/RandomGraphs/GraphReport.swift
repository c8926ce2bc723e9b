// SPDX-License-Identifier: MIT

/// A broken promise in a run of a graph.
public struct GraphProblem: Sendable, CustomStringConvertible {
  public enum Kind: String, CaseIterable, Sendable {
    /// A caller or a factory did not return.
    case hang
    /// The process ended: by a stack overflow or a trap.
    case crash
    /// A factory ran without end.
    case endless
    /// A cycle error where no cycle could cause one.
    case falseCycle
    /// The path of an error begins elsewhere, or leads along no dependencies.
    case path
    /// A CancellationError for a caller that was not cancelled.
    case strangersCancellation
    /// Another error without a cause in the graph.
    case error
    /// A caller got an instance before its actions had finished, or with a missing dependency.
    case incomplete
    /// A decorator ran twice, out of order or in the wrong place, or an action or a disposer got a
    /// decorated instance.
    case decoration
    /// A behavior was told too much or too little.
    case watching
    /// A factory returned too often.
    case builtTwice
    /// Two instances of a shared service.
    case different
    /// A disposer ran twice, not at all, or too late.
    case disposal
    /// A resolve from a closed container succeeded.
    case closed
    /// Disposers ran in the wrong order.
    case order
    /// Instances are alive at the end.
    case leak
  }

  public let kind: Kind
  public let text: String

  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  public var description: String { "\(kind.rawValue): \(text)" }
}
