// SPDX-License-Identifier: MIT

import Corinth

extension Mistake {
  static let scopes = [
    Mistake("asks the container for a part of a request") {
      try $0.register(Basket.self, scope: .scoped) { _ in Basket() }
      _ = try $0.resolve(Basket.self)
    },
    Mistake("keeps a part of a request in a singleton") {
      try $0.register(Basket.self, scope: .scoped) { _ in Basket() }
      try $0.wire(Till.self, scope: .singleton, using: Till.init)
      _ = try await $0.withScope { try $0.resolve(Till.self) }
    },
    Mistake("keeps a part of a request in a singleton, and validates") {
      try $0.register(Basket.self, scope: .scoped) { _ in Basket() }
      try $0.wire(Till.self, scope: .singleton, using: Till.init)
      try $0.validate()
    },
    Mistake("uses a scope after its closure") {
      try $0.register(Basket.self, scope: .scoped) { _ in Basket() }
      let scope = try await $0.withScope { $0 }
      _ = try scope.resolve(Basket.self)
    },
    Mistake("uses a scope that has been closed") {
      try $0.register(Basket.self, scope: .scoped) { _ in Basket() }
      let scope = $0.makeScope()
      try await scope.close()
      _ = try scope.resolve(Basket.self)
    },
    Mistake("asks for a part of a scope of another name") {
      try $0.register(Basket.self, scope: .scoped(in: "order")) { _ in Basket() }
      _ = try await $0.withScope(named: "request") { try $0.resolve(Basket.self) }
    },
    Mistake("asks for an input outside of a scope") {
      try $0.registerInput(Request.self)
      _ = try $0.resolve(Request.self)
    },
    Mistake("opens the scope without the input") {
      try $0.registerInput(Request.self)
      _ = try await $0.withScope { try $0.resolve(Request.self) }
    },
    Mistake("neither declares an input nor gives it") {
      try $0.wire(Handler.self, scope: .scoped, using: Handler.init)
      _ = try await $0.withScope { try $0.resolve(Handler.self) }
    },
    Mistake("neither declares an input nor gives it, and validates") {
      try $0.wire(Handler.self, scope: .scoped, using: Handler.init)
      try $0.validate()
    },
    Mistake("builds everything once without the input") {
      try $0.registerInput(Request.self)
      try $0.wire(Handler.self, scope: .scoped, using: Handler.init)
      try await $0.validate(building: true)
    },
    Mistake("gives an input that is not declared") {
      _ = try await $0.withScope(providing: Request()) { try $0.resolve(Request.self) }
    },
    Mistake("gives an input twice") {
      try $0.registerInput(Request.self)
      _ = try await $0.withScope(providing: Request(), Request()) { try $0.resolve(Request.self) }
    },
    Mistake("holds a structure weakly") {
      try $0.register(SMTPMail.self, scope: .weak) { _ in SMTPMail() }
      _ = try $0.resolve(SMTPMail.self)
    },
    Mistake("shuts the container down in a request") { container in
      try await container.withScope { _ in try await container.shutdown(draining: .seconds(1)) }
    },
    Mistake("opens a scope after the shutdown") {
      try await $0.shutdown()
      _ = try await $0.withScope { try $0.resolve(Basket.self) }
    },
    Mistake("marks a part of a request as eager") {
      try $0.register(Basket.self, scope: .scoped, with: .eager) { _ in Basket() }
      try await $0.warmUp()
    },
  ]

  static let asynchronous = [
    Mistake("resolves an asynchronous singleton synchronously") {
      try $0.registerAsync(Pool.self, scope: .singleton) { _ in Pool() }
      _ = try $0.resolve(Pool.self)
    },
    Mistake("resolves an asynchronous transient synchronously") {
      try $0.registerAsync(Pool.self) { _ in Pool() }
      _ = try $0.resolve(Pool.self)
    },
    Mistake("has an asynchronous dependency in a synchronous factory") {
      try $0.registerAsync(Basket.self, scope: .singleton) { _ in Basket() }
      try $0.wire(Till.self, using: Till.init)
      _ = try await $0.resolveAsync(Till.self)
    },
    Mistake("has an asynchronous dependency, and validates") {
      try $0.registerAsync(Basket.self, scope: .singleton) { _ in Basket() }
      try $0.wire(Till.self, using: Till.init)
      try $0.validate()
    },
    Mistake("overrides a part in a test, and does not warm the fork up") {
      try $0.registerAsync(Basket.self, scope: .singleton, with: .eager) { _ in Basket() }
      try $0.wire(Till.self, using: Till.init)
      try await $0.warmUp()
      _ = try await $0.withOverrides { _ in
      } run: {
        try $0.resolve(Till.self)
      }
    },
    Mistake("makes two asynchronous parts that need each other") {
      try $0.registerAsync(Hen.self) { Hen(egg: try await $0.resolveAsync()) }
      try $0.registerAsync(Egg.self) { Egg(hen: try await $0.resolveAsync()) }
      _ = try await $0.resolveAsync(Hen.self)
    },
    Mistake("warms up synchronously with an asynchronous part") {
      try $0.registerAsync(Pool.self, scope: .singleton, with: .eager) { _ in Pool() }
      try warmUpSynchronously($0)
    },
    Mistake("has a start that fails") {
      try $0.registerAsync(Pool.self, scope: .singleton, with: .eager) { _ in throw Refused() }
      try await $0.warmUp()
    },
    Mistake("resolves in a task that is cancelled") { container in
      try container.registerAsync(Pool.self, scope: .singleton) { _ in
        try await Task.sleep(for: .seconds(100))
        return Pool()
      }
      let task = Task { try await container.resolveAsync(Pool.self) }
      task.cancel()
      _ = try await task.value
    },
  ]

  static let disposal = [
    Mistake("disposes of a transient") {
      try $0.register(Pool.self, with: .onDispose { _ in }) { _ in Pool() }
      _ = try $0.resolve(Pool.self)
    },
    Mistake("lets a container go without its shutdown") { _ in
      let container = Container()
      try container.register(Pool.self, scope: .singleton, with: .onDispose { _ in }) { _ in Pool()
      }
      _ = try container.resolve(Pool.self)
    },
    Mistake("lets a scope go without closing it") {
      try $0.register(Basket.self, scope: .scoped, with: .onDispose { _ in }) { _ in Basket() }
      _ = try $0.makeScope().resolve(Basket.self)
    },
    Mistake("overrides a part that has been built") {
      try $0.register(Pool.self, scope: .singleton, with: .onDispose { _ in }) { _ in Pool() }
      _ = try $0.resolve(Pool.self)
      try $0.register(Pool.self, scope: .singleton) { _ in Pool() }
    },
    Mistake("releases a part without disposing of it") {
      try $0.register(Pool.self, scope: .singleton, with: .onDispose { _ in }) { _ in Pool() }
      _ = try $0.resolve(Pool.self)
      $0.release(Pool.self)
    },
    Mistake("has a disposer that throws") {
      try $0.register(Pool.self, scope: .singleton, with: .onDispose { _ in throw Refused() }) {
        _ in
        Pool()
      }
      _ = try $0.resolve(Pool.self)
      try await $0.shutdown()
    },
    Mistake("has a disposer that takes too long") {
      try $0.register(
        Pool.self, scope: .singleton,
        with: .onDispose { _ in try await Task.sleep(for: .seconds(100)) }
      ) { _ in Pool() }
      _ = try $0.resolve(Pool.self)
      try await $0.shutdown(timeLimit: .milliseconds(1))
    },
    Mistake("closes synchronously with an asynchronous disposer") {
      try $0.register(Pool.self, scope: .singleton, with: .onDispose { _ in await Task.yield() }) {
        _ in Pool()
      }
      _ = try $0.resolve(Pool.self)
      try closeSynchronously($0)
    },
    Mistake("resolves after the shutdown") {
      try $0.register(Pool.self) { _ in Pool() }
      try await $0.shutdown()
      _ = try $0.resolve(Pool.self)
    },
    Mistake("warms up after the shutdown") {
      try $0.register(Pool.self, scope: .singleton, with: .eager) { _ in Pool() }
      try await $0.shutdown()
      try await $0.warmUp()
    },
    Mistake("registers after the shutdown") {
      try await $0.shutdown()
      try $0.register(Pool.self) { _ in Pool() }
    },
    Mistake("shuts down while a request is open") {
      let scope = $0.makeScope()
      defer { withExtendedLifetime(scope) {} }
      try await $0.shutdown(draining: .milliseconds(1))
    },
    Mistake("keeps a resolver, and lets the container go") { _ in
      var container: Container? = Container()
      try container?.register(Pool.self) { _ in Pool() }
      try container?.register(Resolver.self, scope: .unchecked(.singleton)) { $0 }
      let resolver = try container?.resolve(Resolver.self)
      container = nil
      _ = try resolver?.resolve(Pool.self)
    },
  ]

  private struct Storage: Assembly {
    func assemble(container: Container) throws {
      try container.register(Pool.self, file: "App/Storage.swift", line: 3) { _ in Pool() }
    }
  }
  private struct Web: Assembly {
    func assemble(container: Container) throws {
      try container.register(Pool.self, file: "App/Web.swift", line: 3) { _ in Pool() }
    }
  }
  private struct Broken: Assembly {
    func assemble(container: Container) throws { throw Refused() }
  }
  private struct Early: Assembly {
    func preloaded(container: Container) throws { _ = try container.resolve(Pool.self) }
    func assemble(container: Container) throws {}
  }

  static let modules = [
    Mistake("has a module that throws") {
      try Assembler(container: $0).apply(assemblies: [Broken()])
    },
    Mistake("resolves in a module before the others have registered") {
      try Assembler(container: $0).apply(assemblies: [Early(), Storage()])
    },
    Mistake("registers a type in two modules") {
      try Assembler(container: $0).apply(assemblies: [Storage(), Web()])
    },
    Mistake("applies no module to the container that it asks") {
      try Assembler(container: Container()).apply(assemblies: [Storage()])
      _ = try $0.resolve(Pool.self)
    },
    Mistake("validates a module without the one that it depends on") {
      try $0.wire(Till.self, using: Till.init)
      try $0.validate(strictly: true)
    },
    Mistake("declares a part that nothing asks for") {
      try $0.register(Pool.self) { _ in Pool() }
      try $0.validate(roots: [Till.self])
    },
  ]

  static let reloading = [
    Mistake("reloads a setting that a closure may depend on") {
      try $0.register(value: 1)
      try $0.register(Pool.self, scope: .singleton) { _ in Pool() }
      _ = try $0.resolve(Pool.self)
      try await ReloadableContainer($0).reload { try $0.register(value: 2) }
    }
  ]

  private static func warmUpSynchronously(_ container: Container) throws {
    try container.syncWarmUp()
  }

  private static func closeSynchronously(_ container: Container) throws {
    try container.syncClose()
  }
}
