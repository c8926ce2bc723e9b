// SPDX-License-Identifier: MIT
// A request pipeline: a scope for each request, found by handlers without a parameter. The changes
// of a failed request are rolled back.

// snippet.show
import Corinth

struct Request: Sendable { let id: Int }
struct OutsideOfRequest: Error {}
struct NoMoney: Error {}

/// Shared by all requests.
actor Journal {
  private(set) var entries: [String] = []
  func append(_ changes: [String]) { entries += changes }
}

/// The changes of a request, written at the end.
actor Session {
  private let request: Request
  private let journal: Journal
  private var changes: [String] = []

  init(request: Request, journal: Journal) {
    self.request = request
    self.journal = journal
  }

  func record(_ change: String) { changes.append("request \(request.id): \(change)") }
  func commit() async { await journal.append(changes) }
  func rollBack() { changes = [] }
}

/// The session of the calling task's request.
extension Session {
  static var current: Session {
    get throws {
      guard let scope = Container.current else { throw OutsideOfRequest() }
      return try scope.resolve(Session.self)
    }
  }
}

func handleOrder() async throws { try await Session.current.record("ordered") }
func handlePayment(of request: Request) async throws {
  if request.id == 3 { throw NoMoney() }
  try await Session.current.record("paid")
}

let application = Container()
try application.register(Journal.self, scope: .singleton) { _ in Journal() }
try application.registerInput(Request.self)
try application.register(
  Session.self, scope: .scoped,
  with: .onDispose { session, outcome in
    if case .completed = outcome {
      await session.commit()
    } else {
      await session.rollBack()
    }
  }
) { resolver in
  Session(request: try resolver.resolve(), journal: try resolver.resolve())
}

func serve(_ request: Request) async throws {
  try await application.withScope(providing: request) { scope in
    try await scope.withCurrent {
      // Child tasks find the scope of their parent.
      async let payment: Void = handlePayment(of: request)
      try await handleOrder()
      try await payment
    }
  }
}

await withTaskGroup(of: Void.self) { requests in
  for id in 1...4 {
    requests.addTask {
      do { try await serve(Request(id: id)) } catch { print("request \(id) failed") }
    }
  }
}
print(try await application.resolve(Journal.self).entries.sorted().joined(separator: "\n"))
