// SPDX-License-Identifier: MIT

/// The class of a product's boxes. The runtime takes longer to look the class up than all other
/// work of making a box, so for most products the class is looked up once.
@inline(__always)
func boxClass<Product>(of product: Product.Type) -> InstanceBox<Product>.Type {
  let known = ClassOfType.find(identity(of: product))
  // SAFETY: the cache stores only the class itself; a metatype of a class is one word.
  return known == 0
    ? lookUpBoxClass(of: product) : unsafe unsafeBitCast(known, to: InstanceBox<Product>.Type.self)
}

@inline(never)
private func lookUpBoxClass<Product>(of product: Product.Type) -> InstanceBox<Product>.Type {
  let found = InstanceBox<Product>.self
  ClassOfType.note(identity(of: product), unsafe unsafeBitCast(found, to: UInt.self))
  return found
}
