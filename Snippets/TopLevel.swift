// SPDX-License-Identifier: MIT
// Synchronous and asynchronous operations at the top level of a program.

// snippet.show
import Corinth

struct Journal: Sendable { let entries: [String] }
struct Session: Sendable { let journal: Journal }

let container = Container()
try container.registerAsync(Journal.self, scope: .singleton, with: .eager) { _ in
  Journal(entries: [])
}
try container.register(Session.self, scope: .scoped) { Session(journal: try $0.resolve()) }

// The asynchronous operations have the plain names.
try await container.warmUp()
let count = try await container.withScope { scope in
  try scope.resolve(Session.self).journal.entries.count
}

// The synchronous operations, such as `syncWarmUp`, are for functions that do not await.
try await container.warmUp()
let same = try await container.withScope { scope in
  try scope.resolve(Session.self).journal.entries.count
}
print(count == same)
let scope = container.makeScope()
try await scope.close()

try await container.close()
