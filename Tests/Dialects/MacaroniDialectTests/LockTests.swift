// SPDX-License-Identifier: MIT

import MacaroniDialect
import Testing

/// What ends the program, in a process of its own.
struct LockTests {
  #if DEBUG
    @Test func aRegistrationInALockedContainerEndsDebugBuilds() async {
      await #expect(processExitsWith: .failure) {
        Macaroni.logger = DisabledMacaroniLogger()
        let container = Container()
        container.lock()
        container.register { 1 }
      }
    }
  #endif

  @Test func theDefaultLoggersEndTheProgram() async {
    await #expect(processExitsWith: .failure) {
      SimpleMacaroniLogger().die("end", file: #fileID, function: #function, line: 1)
    }
    await #expect(processExitsWith: .failure) {
      DisabledMacaroniLogger().die("end", file: #fileID, function: #function, line: 1)
    }
  }

  @Test func aContainerThatIsNotLockedGoesOn() async {
    await #expect(processExitsWith: .success) {
      Macaroni.logger = DisabledMacaroniLogger()
      let container = Container()
      container.lock()
      container.unlock()
      container.register { 1 }
    }
  }
}
