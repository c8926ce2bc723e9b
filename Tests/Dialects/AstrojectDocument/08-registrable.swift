// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import Astroject

class ExampleInstance<Product>: Instance {  // the document has no generic one
  private var product: Product?
  func get() -> Product? { product }
  func set(_ product: Product) { self.product = product }
  func release() { product = nil }
}

    extension Registrable {
    @discardableResult
    func exampleInstance() -> Self {
        self.as(ExampleInstance())
    }
    }

// The sample ends here.
let container = Container()
var built = 0
try container.register(Int.self) { _ in
  built += 1
  return built
}.exampleInstance()
let registrable: any Registrable<Int> = try container.register(Int.self, name: "any") { _ in 42 }
registrable.asSingleton().asWeak().exampleInstance()
print(try container.resolve(Int.self), try container.resolve(Int.self), try container.resolve(Int.self, name: "any"))
