// SPDX-License-Identifier: MIT
//
// What newcomers write in the first hour, and the compiler refuses: an error in each line that ends
// in "SLIP". Mistakes that compile are in Tests/Unit/CorinthTests/Errors/FirstHourMistakes.swift.

import Corinth

protocol Mailer: Sendable {}
final class SMTPMailer: Mailer {}
final class Checkout: Sendable { init(mailer: any Mailer) {} }
final class Pool: Sendable { init() async throws {} }
enum Key { case primary }
struct Modules: Assembly { func assemble(container: Container) throws {} }

func registering(_ container: Container) throws {
  try container.register(SMTPMailer())  // SLIP
  try container.register((any Mailer).self) { SMTPMailer() }  // SLIP
  try container.register { _ in SMTPMailer() }  // SLIP
  try container.register((any Mailer).self, scope: .singleton)  // SLIP
  try container.register((any Mailer).self, SMTPMailer.self)  // SLIP
  try container.register((any Mailer).self, to: SMTPMailer.self)  // SLIP
  try container.register((any Mailer).self, factory: SMTPMailer())  // SLIP
  try container.register((any Mailer).self, instance: SMTPMailer())  // SLIP
  container.bind((any Mailer).self) { _ in SMTPMailer() }  // SLIP
  container.registerSingleton((any Mailer).self) { _ in SMTPMailer() }  // SLIP
  container.register((any Mailer).self) { _ in SMTPMailer() }  // SLIP
  try container.register(Pool.self) { _ in try await Pool() }  // SLIP
  try container.registerAsync(Pool.self, scope: .singleton) { _ in try Pool() }  // SLIP
  try container.wire(Checkout.self)  // SLIP
  container.override((any Mailer).self) { _ in SMTPMailer() }  // SLIP
  try container.register((any Mailer).self, name: Key.primary) { _ in SMTPMailer() }  // SLIP
  try container.register((any Mailer).self, name: .primary) { _ in SMTPMailer() }  // SLIP
  try container.register((any Mailer).self, scope: .singleton).onDispose { _ in }  // SLIP
}

func scopes(_ container: Container) throws {
  try container.register(SMTPMailer.self, scope: .shared) { _ in SMTPMailer() }  // SLIP
  try container.register(SMTPMailer.self, scope: .container) { _ in SMTPMailer() }  // SLIP
  try container.register(SMTPMailer.self, scope: .request) { _ in SMTPMailer() }  // SLIP
  try container.register(SMTPMailer.self, scope: .perRequest) { _ in SMTPMailer() }  // SLIP
  try container.register(SMTPMailer.self, scope: .prototype) { _ in SMTPMailer() }  // SLIP
  try container.register(SMTPMailer.self, scope: .cached) { _ in SMTPMailer() }  // SLIP
  try container.register(SMTPMailer.self, scope: .scoped("request")) { _ in SMTPMailer() }  // SLIP
  try container.register(SMTPMailer.self) { _ in SMTPMailer() }.singleton()  // SLIP
  try container.register(SMTPMailer.self) { _ in SMTPMailer() }.inScope(.singleton)  // SLIP
  try container.register(SMTPMailer.self) { _ in SMTPMailer() }.inObjectScope(.singleton)  // SLIP
  try container.register(SMTPMailer.self, singleton: true) { _ in SMTPMailer() }  // SLIP
}

func resolving(_ container: Container) throws {
  _ = container.resolve((any Mailer).self)  // SLIP
  _ = container.get((any Mailer).self)  // SLIP
  _ = container[(any Mailer).self]  // SLIP
  _ = try container.resolve((any Mailer).self, "primary")  // SLIP
  _ = try container.resolve((any Mailer).self, argument: 7)  // SLIP
  _ = try container.resolve(Pool.self, name: Key.primary)  // SLIP
  _ = try container.resolveAsync(Pool.self)  // SLIP
  _ = try Container.shared.resolve(Pool.self)  // SLIP
  _ = container.resolveOptional(Pool.self)  // SLIP
}

func living(_ container: Container, _ limit: Duration) async throws {
  try container.shutdown()  // SLIP
  try await container.dispose()  // SLIP
  try await container.shutdown(timeout: limit)  // SLIP
  try container.withScope { scope in _ = try scope.resolve(Checkout.self) }  // SLIP
  _ = try await container.beginScope()  // SLIP
  try container.warmUp()  // SLIP
  try container.validate(strict: true)  // SLIP
}

func modules(_ container: Container) throws {
  _ = Assembler([Modules()])  // SLIP
  try Assembler(container: container).apply(Modules())  // SLIP
  try Modules().assemble(container)  // SLIP
  container.apply(Modules())  // SLIP
}

struct Page {
  @Injected let mailer: any Mailer  // SLIP
  @Injected var checkout  // SLIP
  @Inject var other: any Mailer  // SLIP
  @Injected("primary") var named: any Mailer  // SLIP
}
