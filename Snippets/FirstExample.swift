// SPDX-License-Identifier: MIT
// Register two types, resolve one of them.

// snippet.show
import Corinth

protocol Greeter: Sendable { func greet(_ name: String) -> String }
struct PoliteGreeter: Greeter { func greet(_ name: String) -> String { "Good day, \(name)." } }
struct Reception { let greeter: any Greeter }

let container = Container()
try container.register((any Greeter).self, scope: .singleton) { _ in PoliteGreeter() }
try container.register(Reception.self) { r in Reception(greeter: try r.resolve()) }

print(try container.resolve(Reception.self).greeter.greet("Ada"))
