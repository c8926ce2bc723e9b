// SPDX-License-Identifier: MIT

import Corinth

/// The decorators of a graph. All services have one type, so that each decorator gets the instances
/// of all of them, and wraps those of its own service.
extension GraphRun {
  /// Adds the decorators of a service.
  func addDecorators(of index: Int) throws {
    for (number, decorator) in graph.services[index].decorators.enumerated() {
      try containers[decorator.container].decorate(Product.self) { [weak self] product, resolver in
        if product.service != index { return product }
        return try self.orGone().decorate(product, number, resolver)
      }
    }
  }

  private func decorate(_ product: Product, _ number: Int, _ resolver: Resolver) throws -> Product {
    begin()
    defer { end() }
    let index = product.service
    let decorator = graph.services[index].decorators[number]
    let layers = graph.decorators(of: index, in: product.container)
    check(product, number, layers, inside: self.index(of: try resolver.container))
    do {
      let asker = Asker(product, resolver, captured: decorator.container)
      let found = try resolve(decorator.needs, asker)
      graph.services[index].pause.block()
      if number == 0 { try fail(index, .decorator, product.container) }
      return finish(product, number, found, isLast: layers.last == number)
    } catch {
      note(error, out: (.letCycleOut, .letErrorOut), of: index, product.container)
      throw error
    }
  }

  /// Reports a decorator that gets an instance out of order, twice, or in another container than
  /// its factory.
  private func check(_ product: Product, _ number: Int, _ layers: [Int], inside container: Int) {
    let name = "decorator \(number) of s\(product.service)"
    if container != product.container {
      report(.decoration, "\(name) ran in c\(container), the factory in c\(product.container)")
    }
    let before = product.layers
    if before.count >= layers.count || Array(layers.prefix(before.count + 1)) != before + [number] {
      report(.decoration, "\(name) ran after \(before), of \(layers)")
    }
    if !product.base.noteDecorator(number) { report(.decoration, "\(name) ran twice") }
  }

  private func finish(
    _ product: Product, _ number: Int, _ found: [Product?], isLast: Bool
  ) -> Product {
    for other in found.compactMap(\.self) {
      references.add(.refers(product.serial, to: other.serial))
    }
    let tally = tallies[product.service][product.container]
    tally.add(.decorated)
    if isLast { noteReturn(of: product.base, tally) }
    return Product(decorating: product, by: number, found)
  }
}
