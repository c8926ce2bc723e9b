// SPDX-License-Identifier: MIT
// Modules that need further modules, strict duplicates, defaults, and a listing of registrations.

// snippet.show
import Corinth

protocol Clock: Sendable { func now() -> Int }
struct SystemClock: Clock { func now() -> Int { 0 } }
protocol Storage: Sendable { func save(_ text: String) -> String }
struct Disk: Storage {
  let clock: any Clock
  func save(_ text: String) -> String { "\(clock.now()): \(text)" }
}
struct Orders: Sendable { let storage: any Storage }
struct Billing: Sendable { let storage: any Storage }

// A module that many modules need. A clock registered before by the application stays.
struct ClockAssembly: Assembly {
  func assemble(container: Container) throws {
    try container.register((any Clock).self, scope: .singleton, onDuplicate: .keep) { _ in
      SystemClock()
    }
  }
}

struct StorageAssembly: Assembly {
  var dependencies: [any Assembly] { [ClockAssembly()] }

  func assemble(container: Container) throws {
    try container.register((any Storage).self, scope: .singleton) { r in
      Disk(clock: try r.resolve())
    }
  }
}

// Two modules need the storage: the storage is applied once, first.
struct OrdersAssembly: Assembly {
  var dependencies: [any Assembly] { [StorageAssembly()] }

  func assemble(container: Container) throws {
    try container.register(Orders.self) { r in Orders(storage: try r.resolve()) }
  }
}

struct BillingAssembly: Assembly {
  var dependencies: [any Assembly] { [StorageAssembly()] }

  func assemble(container: Container) throws {
    try container.register(Billing.self, scope: .singleton) { r in Billing(storage: try r.resolve())
    }
  }

  // Runs when all modules have registered.
  func loaded(resolver: Resolver) throws {
    print(try resolver.resolve(Billing.self).storage.save("billing is there"))
  }
}

// A second registration of a key is an error, unless marked as intended.
let container = Container(duplicates: .refuse)
try Assembler(container: container).apply(assemblies: [OrdersAssembly(), BillingAssembly()])

do {
  try container.register((any Clock).self) { _ in SystemClock() }
} catch {
  print(error)
}

// The listing of all registrations. No factory runs.
for registration in container.registrations { print(registration) }
debugPrint(container)

// All registrations of the orders are removed in one step.
container.removeAll { $0.key.product == Orders.self }
print(container)
