// SPDX-License-Identifier: MIT

/// What is switched on for this installation: words in the variable `FEATURES`.
struct FeatureFlags: Sendable {
  private let words: [Substring]

  init(environment: Environment) throws {
    words = (try? environment.text("FEATURES"))?.split(separator: ",") ?? []
  }

  func isOn(_ word: String) -> Bool { words.contains { $0 == word } }
}
