// SPDX-License-Identifier: MIT

import Corinth
import ModularShop
import Testing

/// The same in Swift Testing, which runs the variants in parallel by itself.
struct ForkedShopExpectations {
  private static let base = Task { try await runningShop() }

  @Test(arguments: Variant.all)
  func aForkTellsItsOwnStory(_ variant: Variant) async throws {
    let fork = try await Self.base.value.fork(variant.configure)
    let story = try await Story.told(by: fork)
    #expect(story == variant.expected)
  }
}
