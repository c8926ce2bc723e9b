// SPDX-License-Identifier: MIT

/// The construction protocol: how a shared instance comes to be, once.
extension FactoryRecord {
  /// The singleton of this registration, built by this call or by the one that came first.
  func singleInstance(
    in slot: SlotReference, for resolver: Resolver
  ) throws(ResolutionError) -> Product {
    while true {
      switch instance.current {
      case .built(let box):
        // SAFETY: the box of a singleton lives as long as its registration, and this is its class.
        let box = unsafe unsafeDowncast(box.takeUnretainedValue(), to: InstanceBox<Product>.self)
        // The one who built it may not have come to this yet, or was left behind by a fork.
        slot.replace(SlotWord(self), with: SlotWord(box))
        return box.instance
      case .building:
        try wait(for: resolver)
      case .empty:
        let construction = Construction(of: key, requestedBy: resolver.unfinishedConstruction)
        guard unsafe instance.claim(construction, replacing: nil) else { continue }
        let (product, box) = try build(construction, for: resolver) { product in
          InstanceBox(product, builtBy: self)
        }
        // Fails when the registration has been overridden meanwhile. The instance then serves those
        // who asked before that, and goes away with the registration.
        slot.replace(SlotWord(self), with: SlotWord(box))
        return product
      }
    }
  }

  /// The weak instance of this registration if it is alive, or else a new one.
  func weakInstance(for resolver: Resolver) throws(ResolutionError) -> Product {
    while true {
      // The section keeps a box alive that another thread replaces, and keeps its address from
      // being used again before the claim below has compared it.
      let section = Section.enter()
      let dead: Unmanaged<AnyObject>?
      switch instance.current {
      case .built(let box):
        if let product = unsafe weakInstance(in: box) {
          section.leave()
          return product
        }
        unsafe dead = box
      case .empty:
        unsafe dead = nil
      case .building:
        section.leave()
        try wait(for: resolver)
        continue
      }
      let construction = Construction(of: key, requestedBy: resolver.unfinishedConstruction)
      let claimed = unsafe instance.claim(construction, replacing: dead)
      section.leave()
      guard claimed else { continue }
      // Not before the construction is over: what is destroyed may resolve this very instance.
      defer { if let dead = unsafe dead { unsafe Reclamation.retire(dead) } }
      return try build(construction, for: resolver) { product in
        WeakBox(product, object: try object(of: product))
      }.product
    }
  }

  /// The weak instance of this registration if it is alive. Inside a section.
  @inlinable var aliveWeakInstance: Product? {
    guard scope.kind == .weak, case .built(let box) = instance.current else { return nil }
    return unsafe weakInstance(in: box)
  }

  @inlinable
  func weakInstance(in box: Unmanaged<AnyObject>) -> Product? {
    unsafe box._withUnsafeGuaranteedRef {
      // SAFETY: a weak registration's state only ever holds boxes of this class.
      unsafe unsafeDowncast($0, to: WeakBox<Product>.self).instance
    }
  }

  private func object(of product: Product) throws(InstanceError) -> AnyObject {
    guard type(of: product as Any) is AnyClass else {
      throw .notAClassInstance(product: Product.self, instance: type(of: product as Any))
    }
    return product as AnyObject
  }

  private func wait(for resolver: Resolver) throws(ResolutionError) {
    switch WaitForGraph.wait(for: instance, requestedBy: resolver.unfinishedConstruction) {
    case .retry:
      return
    case .cycle(let path):
      throw .circularDependencyDetected(ResolutionError.Context(cycle: path))
    }
  }

  /// Runs the factory as the claimed construction and publishes what `wrap` makes of its product, or
  /// gives the claim back when either throws.
  private func build<Box: AnyObject>(
    _ construction: Construction, for resolver: Resolver, wrap: (Product) throws -> Box
  ) throws(ResolutionError) -> (product: Product, box: Box) {
    // Objects retired meanwhile have waited: nothing is destroyed inside of a construction.
    defer { Reclamation.reclaim() }
    construction.enter()
    do {
      let product = try factory(Resolver(registry: resolver.registry, construction: construction))
      let box = try wrap(product)
      construction.leave()
      instance.finish(construction, with: box)
      return (product, box)
    } catch {
      // A product that was refused is destroyed by now, inside of the construction: its deinit could
      // otherwise wait for the construction that it is a part of.
      construction.leave()
      instance.finish(construction, with: nil)
      throw ResolutionError(error, thrownBy: self)
    }
  }
}

extension Resolver {
  /// The construction that this resolver's resolutions are a part of, unless it is over.
  var unfinishedConstruction: Construction? {
    guard let construction, !construction.isFinished else { return nil }
    return construction
  }
}
