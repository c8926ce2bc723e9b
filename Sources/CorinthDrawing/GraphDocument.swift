// SPDX-License-Identifier: MIT

public import Corinth
public import CorinthTimeline

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A dependency graph together with what is wrong in it, as JSON and as a page.
///
/// ```swift
/// let document = GraphDocument(of: container)
/// try document.page().write(to: file, atomically: true, encoding: .utf8)
/// ```
///
/// The schema of the JSON is `graph.schema.json` beside the sources of this module. Its version is ``version``.
///
/// ## Concurrency
/// A value: safe to share.
public struct GraphDocument: Sendable {
  /// The version of the schema. It changes when a field is removed or changes its meaning, not when one is added.
  public static let version = 1

  /// The registrations and their dependencies.
  public let graph: DependencyGraph
  /// What validation has found.
  public let findings: [ValidationFinding]
  /// The state of the container when the document was made; `nil` for a graph alone.
  public let statistics: ContainerStatistics?
  /// What has been counted so far; empty if nothing is.
  public let counts: [MetricsBehavior.Entry]
  /// The constructions that have been recorded; empty if none have.
  public let constructions: [Timeline.Entry]

  /// The document of a graph, or of a part of one.
  ///
  /// - Parameters:
  ///   - graph: the registrations and their dependencies.
  ///   - findings: what is marked. Those that concern none of the registrations are listed only.
  public init(_ graph: DependencyGraph, findings: [ValidationFinding] = []) {
    self.init(graph, findings, nil, [], [])
  }

  /// The document of a container: its graph, the findings of its validation, and its state. No factory runs.
  ///
  /// - Parameters:
  ///   - container: the container; its parents are shown too.
  ///   - counts: what a `MetricsBehavior` of the container has counted.
  ///   - timeline: what was built when.
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

  /// The document as JSON, in one line, with its fields in alphabetical order.
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
      // The fields are strings, integers and Booleans, which have an encoding each.
      preconditionFailure("GraphDocument.json: the document must be encodable: \(error)")
    }
  }

  /// A page that draws the document in a browser. It is whole in itself: it loads nothing.
  ///
  /// ```swift
  /// response.body = GraphDocument(of: container).page()
  /// ```
  ///
  /// - Complexity: as ``json()``, plus a copy of the page's code.
  ///
  /// A value is read: takes no lock.
  public func page() -> String {
    // Nothing in the JSON ends the element, or begins a comment in it.
    let json = json().replacing("<", with: "\\u003c")
    return GraphPage.template.replacing(GraphPage.placeholder, with: json)
  }
}
