// SPDX-License-Identifier: MIT

public import Corinth
public import CorinthTimeline

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A dependency graph together with the faults of the graph, as JSON and as a page.
///
/// ```swift
/// let document = GraphDocument(of: container)
/// try document.page().write(to: file, atomically: true, encoding: .utf8)
/// ```
///
/// The schema of the JSON is `graph.schema.json` beside the sources of this module. The schema's
/// version is ``version``.
///
/// ## Concurrency
/// A value: safe to share.
public struct GraphDocument: Sendable {
  /// The version of the schema. The version changes when a field is removed or changes meaning, not
  /// when a field is added.
  public static let version = 1

  /// The registrations with the dependencies.
  public let graph: DependencyGraph
  /// The findings of validation.
  public let findings: [ValidationFinding]
  /// The state of the container when the document was made; `nil` for a graph alone.
  public let statistics: ContainerStatistics?
  /// The counts so far; empty if nothing is counted.
  public let counts: [MetricsBehavior.Entry]
  /// The recorded constructions; empty if no constructions were recorded.
  public let constructions: [Timeline.Entry]

  /// The document of a graph, or of a part of a graph.
  ///
  /// - Parameters:
  ///   - graph: the registrations with the dependencies.
  ///   - findings: the findings to mark. A finding that concerns none of the registrations is
  ///     listed only.
  public init(_ graph: DependencyGraph, findings: [ValidationFinding] = []) {
    self.init(graph, findings, nil, [], [])
  }

  /// The document of a container: the graph, the findings of validation, and the state. No factory
  /// runs.
  ///
  /// - Parameters:
  ///   - container: the container; parents are shown too.
  ///   - counts: the counts of a `MetricsBehavior` of the container.
  ///   - timeline: the recorded constructions and their times.
  ///
  /// Takes the container's writer lock, for a moment.
  public init(
    of container: Container, counts: [MetricsBehavior.Entry] = [], timeline: Timeline? = nil
  ) {
    var findings: [ValidationFinding] = []
    do { try container.validate() } catch RegistrationError.validationFailed(let report) {
      findings = report.findings
    } catch {}
    self.init(container.graph(), findings, container.statistics, counts, timeline?.entries ?? [])
  }

  private init(
    _ graph: DependencyGraph, _ findings: [ValidationFinding], _ statistics: ContainerStatistics?,
    _ counts: [MetricsBehavior.Entry], _ constructions: [Timeline.Entry]
  ) {
    self.graph = graph
    self.findings = findings
    self.statistics = statistics
    self.counts = counts
    self.constructions = constructions
  }

  /// The document as JSON, in a single line, with the fields in alphabetical order.
  ///
  /// ```swift
  /// response.body = GraphDocument(of: container).json()
  /// ```
  ///
  /// - Complexity: O(*n* + *d*) in the numbers of registrations and dependencies.
  ///
  /// A value is read: takes no lock.
  public func json() -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do { return String(decoding: try encoder.encode(EncodedGraph(self)), as: UTF8.self) } catch {
      // The fields are strings, integers and Booleans, and all three kinds have an encoding.
      preconditionFailure("GraphDocument.json: the document must be encodable: \(error)")
    }
  }

  /// A page that draws the document in a browser. The page is complete: the browser loads nothing
  /// else.
  ///
  /// ```swift
  /// response.body = GraphDocument(of: container).page()
  /// ```
  ///
  /// - Complexity: as ``json()``, plus a copy of the page's code.
  ///
  /// A value is read: takes no lock.
  public func page() -> String {
    // With this escape, nothing in the JSON ends the element, or begins a comment in the element.
    let json = json().replacing("<", with: "\\u003c")
    return GraphPage.template.replacing(GraphPage.placeholder, with: json)
  }
}
