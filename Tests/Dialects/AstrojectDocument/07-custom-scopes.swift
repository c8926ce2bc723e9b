// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import Astroject

let container = Container()

class ExampleInstance: Instance {
  // Conform to Instance methods
  private var product: Int?  // the document has no methods
  func get() -> Int? { product }
  func set(_ product: Int) { self.product = product }
  func release() { product = nil }
}

// Insert through `as` function
try container.register(Int.self) { _ in 42 }.as(ExampleInstance())  // the document: no try

print(try container.resolve(Int.self))

// The sample of composites.
let composite = Composite([ExampleInstance(), Weak()])
try container.register(Int.self) { _ in 42 }.as { composite }  // the document: no try

// The samples end here.
print(try container.resolve(Int.self))
