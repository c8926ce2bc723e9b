// SPDX-License-Identifier: MIT

import Corinth
import Testing

/// The same comparisons in the words of Swift Testing.
struct ExpectTests {
  private let container = Container()

  @Test func anErrorIsExpectedByItsCase() async throws {
    let container = container
    #expect(throws: ResolutionError.noRegistrationFound) { try container.resolve(Int.self) }
    await #expect(throws: ResolutionError.noRegistrationFound) {
      try await container.resolveAsync(Int.self)
    }
    let error = #expect(throws: ResolutionError.self) { try container.resolve(Int.self) }
    #expect(error == .noRegistrationFound)
    #expect { try container.resolve(Int.self) } throws: { $0.is(.noRegistrationFound) }
  }

  @Test func anotherCaseIsNotExpected() {
    withKnownIssue {
      #expect(throws: ResolutionError.circularDependencyDetected) {
        try container.resolve(Int.self)
      }
    }
  }
}
