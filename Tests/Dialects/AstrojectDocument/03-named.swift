// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import Astroject

protocol Database {
    func connect()
}

class MySQLDatabase: Database {
    func connect() {}
}

class PostgreSQLDatabase: Database {
    func connect() {}
}

let container = Container()

try container.register(Database.self, name: "mysql") { _ in
    MySQLDatabase()
}

try container.register(Database.self, name: "postgresql") { _ in
    PostgreSQLDatabase()
}

let mysql: Database = try container.resolve(Database.self, name: "mysql")
mysql.connect()

let postgresql: Database = try container.resolve(Database.self, name: "postgresql")
postgresql.connect()

// The sample ends here.
print(type(of: mysql), type(of: postgresql))
