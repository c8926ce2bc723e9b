// SPDX-License-Identifier: MIT

import Corinth
import CorinthDrawing
import Foundation
import TestSupport
import XCTest

final class GraphDocumentTests: XCTestCase {
  private func object(_ json: String) throws -> [String: Any] {
    try XCTUnwrap(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  func testTheJSONHasNodesEdgesAndFindings() throws {
    let json = GraphDocument(of: try .garage()).json()
    let readable = try JSONSerialization.data(
      withJSONObject: object(json), options: [.prettyPrinted, .sortedKeys])
    assertGolden("graph-document", String(decoding: readable, as: UTF8.self))
  }

  func testACycleIsMarkedAndItsFindingNamesItsNodes() throws {
    let container = Container()
    try container.register(value: 7)
    try container.wire(Hen.self, using: Hen.init)
    try container.wire(Egg.self, using: Egg.init)
    let document = try object(GraphDocument(of: container).json())
    XCTAssertEqual(document["cycles"] as? [[Int]], [[1, 2]])
    let findings = try XCTUnwrap(document["findings"] as? [[String: Any]])
    XCTAssertEqual(findings.map { $0["kind"] as? String }, ["cyclic"])
    XCTAssertEqual((findings[0]["nodes"] as? [Int]).map(Set.init), [1, 2])
  }

  func testNamesOfAnyTextComeBackAsTheyWere() throws {
    let names = ["</script><!--<script>", "\"\\\n\u{0}\u{2028}", "\u{202E}rtl", "e\u{301}", "🚢"]
    let container = Container()
    for name in names { try container.register(value: 1, name: Name(name)) }
    let document = try object(GraphDocument(of: container).json())
    let nodes = try XCTUnwrap(document["nodes"] as? [[String: Any]])
    XCTAssertEqual(nodes.map { $0["name"] as? String }, names)
  }

  func testAnElementOfACollectionHasNoNameOfItsOwn() throws {
    let container = Container()
    try container.contribute(to: (any Signal).self) { _ in Clock() }
    let document = try object(GraphDocument(of: container).json())
    let node = try XCTUnwrap((document["nodes"] as? [[String: Any]])?.first)
    XCTAssertNil(node["name"])
    XCTAssertEqual(node["type"] as? String, "any Signal")
  }

  func testTheStateAndTheCountsOfAContainerAreShown() throws {
    let container = try Container.garage()
    let metrics = MetricsBehavior()
    container.add(metrics)
    for _ in 0..<3 { _ = try container.resolve(Store.self, name: "main") }
    let scope = container.makeScope()
    let document = try object(GraphDocument(of: container, counts: metrics.snapshot()).json())
    let snapshot = try XCTUnwrap(document["snapshot"] as? [String: Any])
    XCTAssertEqual(snapshot["openScopes"] as? Int, 1)
    XCTAssertEqual(snapshot["isDraining"] as? Bool, false)
    XCTAssertEqual(snapshot["instances"] as? [String: Int], ["singleton": 3], "the value too")
    let nodes = try XCTUnwrap(document["nodes"] as? [[String: Any]])
    let store = try XCTUnwrap(nodes.first { $0["name"] as? String == "main" })
    let counts = try XCTUnwrap(store["counts"] as? [String: Any])
    XCTAssertEqual(counts["resolves"] as? Int, 3)
    XCTAssertEqual(counts["constructions"] as? Int, 1)
    XCTAssertGreaterThan(try XCTUnwrap(counts["constructionTime"] as? Double), 0)
    XCTAssertNil(nodes.last?["counts"], "nothing has asked for the value")
    withExtendedLifetime(scope) {}
  }

  func testThePageHasTheDocumentInItAndNoNameEndsIt() throws {
    let container = Container()
    try container.register(value: 1, name: "</script><!--<script>")
    let document = GraphDocument(of: container)
    let page = document.page()
    let embedded = try XCTUnwrap(
      page.firstMatch(of: /<script type="application\/json" id="graph">\s*(.*?)\s*<\/script>/)?.1)
    XCTAssertEqual(
      try object(String(embedded)) as NSDictionary, try object(document.json()) as NSDictionary)
    XCTAssertFalse(embedded.contains("<"), "nothing begins a comment or ends the element")
  }

  func testAnEmptyContainerIsADocument() throws {
    let document = try object(GraphDocument(of: Container()).json())
    XCTAssertEqual(document["format"] as? String, "corinth-graph")
    XCTAssertEqual(document["version"] as? Int, GraphDocument.version)
    XCTAssertEqual((document["nodes"] as? [Any])?.count, 0)
  }
}
