// SPDX-License-Identifier: MIT
// Samples of Astroject's document: register, share, store, clear.

// snippet.show
import AstrojectDialect
import Synchronization

protocol Service: Sendable {}
final class ConcreteService: Service {}

// The storage of a product, and a name for the storage.
final class Kept<Product: Sendable>: Instance {
  private let product = Mutex<Product?>(nil)
  func get() -> Product? { product.withLock { $0 } }
  func set(_ product: Product) { exchange(product) }
  func release() { exchange(nil) }

  // The former product is destroyed after the unlock: a deinit may resolve.
  private func exchange(_ product: Product?) {
    _ = self.product.withLock { stored in
      defer { stored = product }
      return stored
    }
  }
}

extension Registrable where Product: Sendable {
  @discardableResult
  func kept() -> Self { self.as { Composite([Kept(), Weak()]) } }
}

let container = Container()
try container.register((any Service).self) { _ in ConcreteService() }.asSingleton()
try container.register(ConcreteService.self) { _ in ConcreteService() }.kept()
let service = try container.resolve((any Service).self)
let kept = try container.resolve(ConcreteService.self)
let isOne = try kept === container.resolve(ConcreteService.self)
print(type(of: service), isOne)

container.clear()
print(container.contains(ConcreteService.self))
// snippet.hide
precondition(isOne && !container.contains(ConcreteService.self))
