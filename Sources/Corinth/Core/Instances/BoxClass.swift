// SPDX-License-Identifier: MIT

/// The class of a product's boxes. The runtime takes longer to look it up than all else takes that makes a box, so it is
/// looked up once for most products.
@inline(__always)
func boxClass<Product>(of product: Product.Type) -> InstanceBox<Product>.Type {
  let known = ClassOfType.find(identity(of: product))
  // SAFETY: only the class itself is stored; a metatype of a class is one word.
  return known == 0
    ? lookUpBoxClass(of: product) : unsafe unsafeBitCast(known, to: InstanceBox<Product>.Type.self)
}

@inline(never)
private func lookUpBoxClass<Product>(of product: Product.Type) -> InstanceBox<Product>.Type {
  let found = InstanceBox<Product>.self
  ClassOfType.note(identity(of: product), unsafe unsafeBitCast(found, to: UInt.self))
  return found
}
