// SPDX-License-Identifier: MIT

/// Reads the instances that the words of cells lead to.
// SAFETY, of all uses here: the owner of a cell decides the type of the instances; a word that
// holds an instance directly holds an instance of a class, which is a single word.
extension PlaceWord {
  /// The instance of a built word, kept alive by the section until here. Leaves the section.
  @inline(__always)
  func instance<Product>(of product: Product.Type, leaving section: Section) -> Product {
    if !holdsInstance { return boxedInstance(of: product, leaving: section) }
    defer { section.leave() }
    var object = address
    return unsafe Self.copy(at: &object)
  }

  /// A copy of the instance at an address. Not by a library function with a closure, which is not
  /// inlined into unspecialized code.
  @inline(__always)
  private static func copy<Product>(at address: UnsafeRawPointer) -> Product {
    unsafe address.assumingMemoryBound(to: Product.self).pointee
  }

  /// The object at an address as an instance, with the caller's reference. The function for
  /// `AnyObject` serves all classes; a generic move would ask the runtime about the type.
  @inline(__always)
  private static func take<Product>(_ address: UInt, as _: Product.Type) -> Product {
    // SAFETY: a function of a generic structure gets the result's address, whatever the type.
    unsafe unsafeBitCast(Taking.anyObject, to: Taking<Product>.self).take(address)
  }

  /// Out of line: the type of the box takes longer to look up than all else.
  @inline(never)
  private func boxedInstance<Product>(
    of product: Product.Type, leaving section: Section
  ) -> Product {
    defer { section.leave() }
    let box = unsafe content(as: AnyInstanceBox.self).unsafelyUnwrapped
    return unsafe box._withUnsafeGuaranteedRef { $0.instance(of: product) }
  }

  /// The instance of a built word, with whose content the caller gives up a reference.
  @inline(__always)
  func takeInstance<Product>(of product: Product.Type) -> Product {
    if holdsInstance { return Self.take(address, as: product) }
    let box = unsafe content(as: AnyInstanceBox.self).unsafelyUnwrapped.takeRetainedValue()
    return box.instance(of: product)
  }

  /// A built word with a reference to a box.
  @inline(__always)
  init(holding box: AnyInstanceBox) {
    unsafe self.init(Unmanaged.passRetained(box), isInstance: false)
  }

  /// The box of a built word without a bare instance, to which the caller gives up a reference.
  @inline(__always)
  func takeBox() -> AnyInstanceBox {
    unsafe content(as: AnyInstanceBox.self).unsafelyUnwrapped.takeRetainedValue()
  }

  /// The word, empty or with a reference to a box, in exchange for the word's own reference.
  func boxed(by record: RegistrationRecord) -> PlaceWord {
    if isEmpty || !holdsInstance { return self }
    defer { unsafe content(as: AnyObject.self)?.release() }
    return PlaceWord(holding: box(by: record))
  }

  /// The box of a built word, kept alive by the section, or a new box of the word's instance.
  func box(by record: RegistrationRecord) -> AnyInstanceBox {
    if !holdsInstance {
      return unsafe content(as: AnyInstanceBox.self).unsafelyUnwrapped.takeUnretainedValue()
    }
    let box = unsafe withUnsafePointer(to: address) {
      unsafe record.box(ofObjectAt: UnsafeRawPointer($0))
    }
    unsafe box.registration = Unmanaged.passUnretained(record)
    return box
  }
}

/// A function that returns an instance of a type parameter, compiled once for all classes.
private struct Taking<Product>: Sendable {
  let take: @Sendable (UInt) -> Product
}

extension Taking<Unmanaged<AnyObject>> {
  @inline(__always)
  static var anyObject: Self {
    unsafe Taking {
      unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: $0).unsafelyUnwrapped)
    }
  }
}

extension ScopeCell {
  /// The word, with a box from now on if there is an instance. For a user of the cells, in
  /// a section.
  func load(boxedBy record: RegistrationRecord) -> PlaceWord {
    while true {
      let word = load()
      if word.isBuilding || !word.holdsInstance { return word }
      let box = word.box(by: record)
      box.markCompleted(completion)
      let reference = unsafe Unmanaged<AnyObject>.passRetained(box)
      let boxed = unsafe word.replaced(by: reference)
      if exchange(word, with: boxed) {
        // The box has a reference too, for as long as a thread may follow the former word.
        unsafe word.content(as: AnyObject.self)?.release()
        return boxed
      }
      unsafe reference.release()
    }
  }
}
