// SPDX-License-Identifier: MIT

import Corinth
import CorinthDrawing
import TestSupport
import XCTest

final class MermaidTests: XCTestCase {
  func testAFlowchartHasModulesAsBoxesKindsAsArrowsAndWhatIsMissingDashed() throws {
    assertGolden("mermaid", try Container.garage().graph().mermaid())
  }

  func testAPartIsDrawnAlone() throws {
    let graph = try Container.garage().graph()
    assertGolden("mermaid-part", graph.dependencies(of: .init(Store.self)).mermaid())
  }

  func testAnEmptyGraphIsAFlowchart() {
    XCTAssertEqual(Container().graph().mermaid(), "flowchart LR\n")
  }

  func testNoTextOfANameIsMarkup() throws {
    let container = Container()
    try container.register(value: 1, name: "\"]; click n0 <b>`#quot;`</b>&\n\u{7}\\%%{init: {}}%%")
    let text = container.graph().mermaid()
    XCTAssertEqual(text.split(separator: "\n").count, 2, text)
    let label = try XCTUnwrap(text.firstMatch(of: /\["(.*)"\]/)?.1)
    let withoutCodes = label.replacing(/#[0-9]+;/, with: "").replacing("<br/>", with: "")
    XCTAssertNil(withoutCodes.firstMatch(of: /["#<>&`\\%]/), text)
  }
}
