// SPDX-License-Identifier: MIT
// Several registrations of a type, and factories with arguments.

// snippet.show
import Corinth

struct Database { let host: String }
struct User {
  let id: Int
  let database: Database
}

extension Name { static let replica: Name = "replica" }

let container = Container()
try container.register(Database.self) { _ in Database(host: "primary.local") }
try container.register(Database.self, name: .replica) { _ in Database(host: "replica.local") }
for shard in 0..<4 {
  try container.register(Database.self, name: Name(shard)) { _ in
    Database(host: "shard-\(shard).local")
  }
}
try container.register(User.self) { (resolver, id: Int) in
  User(id: id, database: try resolver.resolve(name: Name(id % 4)))
}

print(try container.resolve(Database.self, name: .replica).host)
print(try container.resolve(User.self, arguments: 7).database.host)
