// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Orders
import SQLite
import Testing

/// The worker sends what it can, does not insist, and ends when it is told to.
struct OutboxTests {
  private struct FakeMailer: Mailer {
    let send: @Sendable (Message) throws -> Void
    func send(_ message: Message) throws { try send(message) }
  }

  /// Runs a worker on an outbox with `recipients`.
  private func withWorker(
    on recipients: [String], retrySeconds: Int = 3_600,
    _ send: @escaping @Sendable (Message) throws -> Void,
    _ body: (OutboxWorker, ConnectionPool) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let environment = Environment([
      "DATABASE": "\(folder.path)/orders.db", "MAIL_PAUSE_MILLISECONDS": "1",
      "MAIL_RETRY_SECONDS": "\(retrySeconds)",
    ])
    let pool = try await ConnectionPool.open(
      settings: StorageSettings(
        environment: environment, server: ServerSettings(environment: environment)),
      migrations: [.outbox], log: SilentLog())
    for recipient in recipients { try add(recipient, to: pool) }
    let worker = OutboxWorker(
      queue: OutboxQueue(pool: pool), mailer: FakeMailer(send: send),
      settings: try MailSettings(environment: environment), log: SilentLog())
    try await body(worker, pool)
  }

  private func add(_ recipient: String, to pool: ConnectionPool) throws {
    try pool.write {
      try $0.run("INSERT INTO outbox(recipient, text) VALUES(?, '')", .text(recipient))
    }
  }

  private func recipients(in pool: ConnectionPool) throws -> [String] {
    try pool.read { try $0.rows("SELECT recipient FROM outbox ORDER BY number") { $0.text(0) } }
  }

  private func refuseRemovals(in pool: ConnectionPool) throws {
    try pool.write {
      try $0.execute(
        "CREATE TRIGGER keep BEFORE DELETE ON outbox BEGIN SELECT RAISE(ABORT, 'full'); END")
    }
  }

  private func allowRemovals(in pool: ConnectionPool) throws {
    try pool.write { try $0.execute("DROP TRIGGER keep") }
  }

  @Test func aWorkerThatIsStoppedSendsNoOtherLetter() async throws {
    let (isAsked, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let sent = Guarded<[String]>([])
    try await withWorker(on: ["ada", "bob", "eve"]) { message in
      isAsked.signal()
      goesOn.wait()
      sent.change { $0.append(message.recipient) }
    } _: { worker, pool in
      worker.start()
      try await onThreads(1) { _ in
        isAsked.wait()
        worker.beginStopping()
        for _ in 1...3 { goesOn.signal() }
      }
      await worker.stop()
      #expect(sent.value == ["ada"])
      #expect(try recipients(in: pool) == ["bob", "eve"])
    }
  }

  @Test func aLetterThatFailsIsNotTriedAgainWithEachNewOne() async throws {
    let tried = Guarded<[String]>([])
    try await withWorker(on: ["ada"]) { message in
      tried.change { $0.append(message.recipient) }
      if message.recipient == "ada" { throw MailError("not now") }
    } _: { worker, pool in
      worker.start()
      try await onThreads(1) { _ in
        for number in 1...20 {
          try add("bob", to: pool)
          for _ in 0..<10_000 where tried.value.count(where: { $0 == "bob" }) < number {
            usleep(1_000)
          }
        }
      }
      await worker.stop()
      #expect(tried.value == ["ada"] + Array(repeating: "bob", count: 20))
      #expect(try recipients(in: pool) == ["ada"])
    }
  }

  // The worker forgot which letters it had sent, and sent them at each retry until the database
  // could be written.
  @Test func aLetterIsSentOnceHoweverLongItCannotBeRemoved() async throws {
    let sent = Guarded<[String]>([])
    try await withWorker(on: ["ada"], retrySeconds: 1) { message in
      sent.change { $0.append(message.recipient) }
    } _: { worker, pool in
      try refuseRemovals(in: pool)
      worker.start()
      // Letters that failed would be tried again after 1 and 3 seconds.
      try await Task.sleep(for: .seconds(4))
      #expect(sent.value == ["ada"])
      #expect(try recipients(in: pool) == ["ada"])
      try allowRemovals(in: pool)
      for _ in 0..<1_000 where try !recipients(in: pool).isEmpty {
        try await Task.sleep(for: .milliseconds(10))
      }
      await worker.stop()
      #expect(sent.value == ["ada"])
      #expect(try recipients(in: pool).isEmpty)
    }
  }

  // The next retry of a letter that cannot be sent may be far off.
  @Test func lettersGoOnAsSoonAsTheDatabaseCanBeWrittenAgain() async throws {
    let sent = Guarded<[String]>([])
    try await withWorker(on: ["ada", "bob"]) { message in
      if message.recipient == "ada" { throw MailError("not now") }
      sent.change { $0.append(message.recipient) }
    } _: { worker, pool in
      try refuseRemovals(in: pool)
      worker.start()
      for _ in 0..<1_000 where sent.value.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      try allowRemovals(in: pool)
      try add("eve", to: pool)
      for _ in 0..<1_000 where sent.value.count < 2 { try await Task.sleep(for: .milliseconds(10)) }
      await worker.stop()
      #expect(sent.value == ["bob", "eve"])
      #expect(try recipients(in: pool) == ["ada"])
    }
  }

  @Test func waitsDoubleUpToALimitAndBeginAnewAfterASuccess() {
    let start = ContinuousClock.now
    var backoff = Backoff(first: .seconds(1))
    #expect(!backoff.isDue(at: start))
    var now = start
    for seconds in [1, 2, 4, 8, 16, 32, 64, 64] {
      backoff.failed(at: now)
      backoff.failed(at: now + .milliseconds(500))
      #expect(!backoff.isDue(at: now + .seconds(seconds) - .nanoseconds(1)))
      now += .seconds(seconds)
      #expect(backoff.isDue(at: now))
      backoff.retry()
    }
    backoff.succeeded()
    backoff.failed(at: now)
    #expect(backoff.isDue(at: now + .seconds(1)))
  }
}
