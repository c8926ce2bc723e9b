// SPDX-License-Identifier: MIT

/// The instances that the words of cells lead to.
// SAFETY, of this file: the owner of a cell decides the type of its instances; a word that holds an instance is that of a
// class, which is one word.
extension CellWord {
  /// The instance of a built word, which the section has kept alive. Leaves the section.
  @inline(__always)
  func instance<Product>(of product: Product.Type, leaving section: Section) -> Product {
    if !holdsInstance { return boxedInstance(of: product, leaving: section) }
    defer { section.leave() }
    var object = address
    return unsafe Self.copy(at: &object)
  }

  /// A copy of what is at an address. The library's functions with closures are not inlined where nothing is specialized.
  @inline(__always)
  private static func copy<Product>(at address: UnsafeRawPointer) -> Product {
    unsafe address.assumingMemoryBound(to: Product.self).pointee
  }

  /// The instance of a class at an address, with a reference. The function that does it for one class does it for all; to
  /// move what is of any type, the runtime would be asked.
  @inline(__always)
  private static func take<Product>(_ address: UInt, as _: Product.Type) -> Product {
    // SAFETY: a function gets its result's address, whatever the type.
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

  /// The box of a built word, which the section keeps alive, or a new one of its instance.
  func box(by record: RegistrationRecord) -> AnyInstanceBox {
    if holdsInstance {
      return unsafe withUnsafePointer(to: address) {
        unsafe record.box(ofObjectAt: UnsafeRawPointer($0))
      }
    }
    return unsafe content(as: AnyInstanceBox.self).unsafelyUnwrapped.takeUnretainedValue()
  }
}

/// A function that returns an instance of a type parameter: in the same way for all types.
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
  /// As ``CellWord/box(by:)``, of a word that this has had. A new box has the number of the instance.
  func box(of word: CellWord, by record: RegistrationRecord) -> AnyInstanceBox {
    let box = word.box(by: record)
    // Nobody else has the box, or the number is the same.
    if word.holdsInstance { box.markCompleted(completion) }
    return box
  }
}
