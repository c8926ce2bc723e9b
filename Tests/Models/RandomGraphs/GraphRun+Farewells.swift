// SPDX-License-Identifier: MIT

import Corinth

/// The deinits of products.
extension GraphRun {
  /// The way from a product to the container that it uses in its deinit. Weak: the container may
  /// hold the product.
  struct Parting: Sendable {
    private weak let run: GraphRun?
    private weak let container: Container?
    private let service: Int

    init?(_ run: GraphRun, of service: Int) {
      if run.graph.services[service].farewells.isEmpty { return nil }
      self.run = run
      container = run.containers[run.graph.services[service].container]
      self.service = service
    }

    func callAsFunction() {
      guard let run, let container else { return }
      run.part(from: service, container)
    }
  }

  private func part(from index: Int, _ container: Container) {
    begin()
    defer { end() }
    let farewells = graph.services[index].farewells
    // A product may be built again by what the end of another one resolves, and so on without end.
    let number = notePart(of: index)
    for farewell in farewells.prefix(number <= Self.partsAtMost ? farewells.count : 0) {
      switch farewell {
      case .service(let target): _ = try? container.resolve(Product.self, name: names[target])
      case .deed(let deed): try? container.perform(deed, nextSerial(), alive)
      }
    }
  }

  private static var partsAtMost: Int { 4 }
}

extension ServiceDescription {
  /// How often its deinits resolve services of the graph.
  var partingResolvesAtMost: Int { 4 * farewells.count { $0.target != nil } }
}
