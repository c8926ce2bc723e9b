// SPDX-License-Identifier: MIT
// A scope of your own, with one instance for each tenant: the unit test, and a name.

// snippet.show
import Corinth
import Synchronization

enum Tenant {
  @TaskLocal static var current = "none"
}

final class PerTenant<Product: Sendable>: CustomStorage {
  private let products = Mutex<[String: Product]>([:])

  func get(for context: StorageContext) -> Product? { products.withLock { $0[Tenant.current] } }

  // Instances taken out here and in `release` are destroyed after the unlock: a deinit may resolve.
  func set(_ product: Product, for context: StorageContext) {
    _ = products.withLock { $0.updateValue(product, forKey: Tenant.current) }
  }

  func release() {
    _ = products.withLock { products in
      defer { products = [:] }
      return products
    }
  }
}

extension RegistrationOptions where Product: Sendable {
  static var perTenant: Self { .as(PerTenant()) }
}

final class Image: Sendable {}

// A test makes the context: no container is needed.
let images = PerTenant<Image>()
let image = Image()
images.set(image, for: StorageContext())
precondition(images.get(for: StorageContext()) === image)
Tenant.$current.withValue("other") { precondition(images.get(for: StorageContext()) == nil) }

let container = Container()
try container.register(Image.self, with: .perTenant) { _ in Image() }
let first = try container.resolve(Image.self)
print(try container.resolve(Image.self) === first)
print(try Tenant.$current.withValue("other") { try container.resolve(Image.self) === first })
