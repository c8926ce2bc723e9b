// SPDX-License-Identifier: MIT
//
// Slips where keys are declared, resolved and replaced: an error in each line that ends in "SLIP".
// Lines without an error are forms that the manual names.

import Corinth

protocol Mailer: Sendable {}
final class Pool: Sendable {}
struct SMTPMailer: Mailer { let pool: Pool }
struct FakeMailer: Mailer {}
struct Message: Sendable { init(text: String) async {} }
final class Mutable { var count = 0 }
@MainActor final class Screen { init() {} }

enum App {
  static let pool: ServiceKey<Pool> = ServiceKey(scope: .singleton) { _ in Pool() }
  static let mailer: ServiceKey<any Mailer> = ServiceKey(scope: .singleton) {
    SMTPMailer(pool: try $0.resolve(App.pool))
  }
  static let wired: ServiceKey<any Mailer> = ServiceKey(using: SMTPMailer.init)
  static let slow: AsyncServiceKey<Pool> = AsyncServiceKey { _ in
    await Task.yield()
    return Pool()
  }
  static let screen: AsyncServiceKey<Screen> = AsyncServiceKey { @MainActor _ in Screen() }
}

func typos(_ container: Container) throws {
  let pool: Pool = try container.resolve(App.pol)  // SLIP
  _ = try container.provider(for: App.pol)  // SLIP
  try container.register(App.pol) { _ in Pool() }  // SLIP
  try container.decorate(App.pol) { pool, _ in pool }  // SLIP
  _ = container.contains(App.pol)  // SLIP
  try container.validate(keys: [App.pol])  // SLIP
}

final class Client {
  @Injected(App.pol) var typo: Pool  // SLIP
  @Injected(App.mailer) var otherType: Pool  // SLIP
  @Injected(App.slow) var asynchronous: Pool  // SLIP
  @Injected(App.pool) var pool
}

enum Declared {
  static let otherType: ServiceKey<any Mailer> = ServiceKey { _ in Pool() }  // SLIP
  static let untried: ServiceKey<any Mailer> = ServiceKey {
    SMTPMailer(pool: $0.resolve(App.pool))  // SLIP
  }
  static let main: ServiceKey<Screen> = ServiceKey { _ in Screen() }  // SLIP
  @MainActor static let mainToo: ServiceKey<Screen> = ServiceKey { _ in Screen() }  // SLIP
  static let waiting: ServiceKey<Pool> = ServiceKey { try await $0.resolveAsync(App.slow) }  // SLIP
  static let initialized: ServiceKey<any Mailer> = ServiceKey(using: Pool.init)  // SLIP
  static let waitingToo: ServiceKey<Message> = ServiceKey(using: Message.init)  // SLIP
  static let scope: ServiceKey<Pool> = ServiceKey(scope: .singelton) { _ in Pool() }  // SLIP
  static let unshareable: ServiceKey<Mutable> = ServiceKey(scope: .singleton) { _ in Mutable() }
}

enum Inferred {
  static let first = ServiceKey { try $0.resolve(Inferred.second) + 1 }  // SLIP
  static let second = ServiceKey { try $0.resolve(Inferred.first) + 1 }
}

enum HalfInferred {
  static let first = ServiceKey<Int> { try $0.resolve(HalfInferred.second) + 1 }  // SLIP
  static let second = ServiceKey<Int> { try $0.resolve(HalfInferred.first) + 1 }
}

enum Typed {
  static let first: ServiceKey<Int> = ServiceKey { try $0.resolve(Typed.second) + 1 }
  static let second: ServiceKey<Int> = ServiceKey { try $0.resolve(Typed.first) + 1 }
}

enum Storage<Row: Sendable> {
  static let stored: ServiceKey<[Row]> = ServiceKey { _ in [] }  // SLIP
  static var computed: ServiceKey<[Row]> { ServiceKey { _ in [] } }
}

extension ServiceKey where Product == any Mailer {
  static let bulk: Self = Self { _ in FakeMailer() }
}

func uses(_ container: Container) throws {
  let pool = container.resolve(App.pool)  // SLIP
  let otherType: Pool = try container.resolve(App.mailer)  // SLIP
  try container.register(App.pool) { _ in FakeMailer() }  // SLIP
  try container.register(App.slow) { _ in Pool() }  // SLIP
  try container.registerAsync(App.pool) { _ in Pool() }  // SLIP
  _ = try container.resolve(.bulk)
}
