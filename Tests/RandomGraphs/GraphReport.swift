// SPDX-License-Identifier: MIT

/// What is wrong with a run of a graph.
public struct GraphProblem: Sendable, CustomStringConvertible {
  public enum Kind: String, CaseIterable, Sendable {
    /// Somebody did not return.
    case hang
    /// The process ended: a stack overflow, a trap.
    case crash
    /// A factory ran without end.
    case endless
    /// A cycle error where no cycle could cause one.
    case falseCycle
    /// A CancellationError for a caller that was not cancelled.
    case strangersCancellation
    /// Another error that nothing in the graph explains.
    case error
    /// An instance was handed out before its actions had finished, or without one that it needs.
    case incomplete
    /// A factory returned more often than it should.
    case builtTwice
    /// Two instances of what is shared.
    case different
    /// A disposer ran twice, not at all, or for what is not kept.
    case disposal
    /// Something was resolved from a container that had been closed.
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
