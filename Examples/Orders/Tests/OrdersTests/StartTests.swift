// SPDX-License-Identifier: MIT

import Glibc
import Testing

/// The program itself: its message when it does not start, and the events that must not stop it.
struct StartTests {
  @Test(arguments: [
    (["THREADS": "many"], #"THREADS is "many", and should be a number in 1...256."#),
    (["COUNT_CONSTRUCTIONS": "maybe"], #"COUNT_CONSTRUCTIONS is "maybe""#),
    // The settings of prices were read by the first request, which failed, as did all others.
    (["TAX_PERCENT": "abc"], #"TAX_PERCENT is "abc", and should be a number in 0...100."#),
    (["TAX_TABLE": "/nowhere"], "The tax table /nowhere cannot be read."),
    (["VOLUME_DISCOUNT_FROM": "1"], #"VOLUME_DISCOUNT_FROM is "1""#),
    (["ADDRESS": "localhost"], "Cannot listen on localhost:0: Invalid argument."),
    (["DATABASE": ":memory:"], "there can be no write-ahead log (14) in: :memory:"),
    (["DATABASE": ""], "there can be no write-ahead log (14) in: "),
  ])
  func aStartThatFailsEndsTheProgramWithItsError(
    variables: [String: String], message: String
  ) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let fixed = ["PORT": "0", "DATABASE": "\(folder.path)/orders.db"]
    let ended = try await #require(throws: RunningProgram.EndedEarly.self) {
      try await RunningProgram.start(variables.merging(fixed) { first, _ in first })
    }
    #expect(ended.status == 1)
    #expect(ended.output.contains(message), "\(ended.output)")
    #expect(!ended.output.contains("Fatal error"), "\(ended.output)")
  }

  @Test func aSignalDuringTheStartEndsTheProgram() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    // Opening it waits for somebody who reads.
    let spool = "\(folder.path)/spool"
    let isMade = unsafe mkfifo(spool, 0o600) == 0
    #expect(isMade)
    let program = try await RunningProgram.start(
      ["PORT": "0", "DATABASE": "\(folder.path)/orders.db", "MAIL_SPOOL": spool],
      until: "migrated orders")
    program.terminate()
    // It is 1 if the worker was being built already: that is waited for, for five seconds.
    let status = try await program.status()
    #expect([0, 1].contains(status), "\(program.log)")
    #expect(!program.log.contains("listening"), "\(program.log)")
  }

  @Test func aLogThatNobodyReadsDoesNotEndTheProgram() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let program = try await RunningProgram.start([
      "PORT": "0", "DATABASE": "\(folder.path)/orders.db", "LOG_REQUESTS": "on",
    ])
    try program.closeLog()
    let statuses = try await onThreads(3) { _ in
      try Client(port: program.port).send("GET", "/price/pen").status
    }
    #expect(statuses == [200, 200, 200])
    program.terminate()
    let status = try await program.status()
    #expect(status == 0)
  }
}
