// SPDX-License-Identifier: MIT

import Corinth
import Orders
import Testing

/// What the six modules register.
struct ApplicationTests {
  @Test func sixModulesMakeSixtyRegistrations() throws {
    let container = try application.get()
    #expect(container.registrations.count == 60)
    #expect(container.registrations.compactMap(\.fault).isEmpty)
  }

  @Test func aVariableWithoutMeaningIsAnErrorThatNamesIt() async throws {
    let fork = try application.get().fork {
      try $0.override(Environment.self, value: Environment(["THREADS": "many", "PORT": "0"]))
    }
    let error = await #expect(throws: WarmUpError.self) { try await fork.startServer() }
    let message = #"THREADS is "many", and should be a number in 1...256."#
    #expect(error?.description.contains(message) == true)
    try await fork.shutdown()
  }
}
