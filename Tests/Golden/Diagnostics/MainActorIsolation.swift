// SPDX-License-Identifier: MIT
// flags: -default-isolation MainActor
import Corinth

nonisolated protocol Store: Sendable {
  func read(_ key: String) -> String?
}

nonisolated struct MemoryStore: Store {
  func read(_ key: String) -> String? { nil }
}

nonisolated final class Catalog: Sendable {
  let store: any Store
  init(store: any Store) { self.store = store }
}

final class ViewModel {
  let catalog: Catalog
  init(catalog: Catalog) { self.catalog = catalog }
  func load() {}
  func stop() {}
}

nonisolated extension Name { static let shared: Name = "shared" }
extension Name { static let isolated: Name = "isolated" }

func register(in container: Container) throws {
  try container.register(ViewModel.self) { r in ViewModel(catalog: try r.resolve()) }
  try container.register(ViewModel.self) { @MainActor r in ViewModel(catalog: try r.resolve()) }
  try container.registerAsync(ViewModel.self, scope: .singleton) { @MainActor r in
    ViewModel(catalog: try r.resolve())
  }.onDispose { $0.stop() }
  try container.registerAsync(ViewModel.self, scope: .singleton) { @MainActor r in
    ViewModel(catalog: try r.resolve())
  }.afterInit { _, model in model.load() }
  try container.register(Int.self) { r in try r.resolve(name: .isolated) }
}

// Without a diagnostic.
func registerRightly(in container: Container) throws {
  try container.register((any Store).self, scope: .singleton) { _ in MemoryStore() }
  try container.register(Catalog.self) { r in Catalog(store: try r.resolve()) }
  try container.registerAsync(ViewModel.self, scope: .singleton) { @MainActor r in
    ViewModel(catalog: try r.resolve())
  }
  .afterInit { _, model in await model.load() }
  .onDispose { await $0.stop() }
  try container.register(Int.self, name: .shared) { _ in 7 }
  try container.register(Int.self) { r in try r.resolve(name: .shared) }
}

func use(_ container: Container) async throws {
  _ = try container.resolve(Catalog.self)
  try await container.resolveAsync(ViewModel.self).load()
  try await container.withScope { scope in
    try await scope.resolveAsync(ViewModel.self).load()
  }
}
