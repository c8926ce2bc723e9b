// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

#if DEBUG
  /// What a newcomer reads after each mistake that the compiler does not find. The golden texts
  /// show the mistakes of one kind together. `Tests/Golden/Diagnostics/FirstHour.swift` has the
  /// mistakes that the compiler finds.
  final class FirstHourTests: XCTestCase {
    private let said = EventLog()

    override func setUp() {
      Container.onHint = { [said] in said.add($0) }
      Container.onUndisposed = { [said] in said.add("\($0)") }
    }

    override func tearDown() {
      Container.onHint = nil
      Container.onUndisposed = nil
    }

    /// All texts of one mistake, with places of the sources in place of those of the test.
    private func text(of mistake: Mistake) async -> String {
      let before = said.entries.count
      let container = Container(file: "CorinthTests/FirstHourMistakes.swift", line: 1)
      do { try await mistake.make(container) } catch { said.add("\(error)") }
      let texts = said.entries.dropFirst(before).joined(separator: "\n")
      try? await container.shutdown()
      let places = /CorinthTests\/FirstHourMistakes(\+\w+)?\.swift:\d+/
      return "# \(mistake.title)\n" + texts.replacing(places, with: "App/Main.swift")
    }

    func testEachMistakeIsExplained() async {
      for kind in Mistake.kinds {
        var texts: [String] = []
        for mistake in kind.mistakes {
          let text = await text(of: mistake)
          XCTAssertTrue(text.contains("\n"), "nothing is said of: \(mistake.title)")
          texts.append(text)
        }
        assertGolden("first-hour-\(kind.name)", texts.joined(separator: "\n\n"))
      }
    }
  }
#endif
