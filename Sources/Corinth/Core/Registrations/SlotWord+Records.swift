// SPDX-License-Identifier: MIT

/// The objects that the words of a container's slots point to.
///
/// Tag and key decide the class of the object; `P` is the key's product, `A` are its arguments:
///
/// | tag | class |
/// |---|---|
/// | ready | `InstanceBox<P>` |
/// | transient, no arguments; input | `FactoryRecord`, with a factory of `P` |
/// | transient, arguments | `ArgumentFactoryRecord<P, A>` |
/// | scoped, graph | `FactoryRecord`, with a factory of `P` |
/// | registration, diverted, stored | any `RegistrationRecord` |
///
/// Only the initializers below make such words. Boxes come from a factory of the key's registration
/// or hold its value; only the two named classes can be ``RegistrationPlan/bareFactory``.
extension SlotWord {
  /// The word to publish a registration: the word of the instance, if the record starts with one.
  @inline(__always)
  init(_ record: borrowing RegistrationRecord) {
    if record.isConstant, let constant = record.constant {
      self.init(constant)
    } else {
      self.init(copy record, tagged: Tag.of(record))
    }
  }

  /// The word under which a ready instance is published.
  init(_ box: AnyInstanceBox) {
    self.init(box, tagged: .ready)
  }

  // SAFETY, of all below: the table above; every accessor is called for words of its own tag only.
  // Those of generic classes avoid `object(tagged:)`, with which debug builds look up the class.

  /// The box of a ready word.
  @inlinable @_transparent
  func box<Product>(of product: Product.Type) -> Unmanaged<InstanceBox<Product>> {
    unsafe unsafeBitCast(readyAddress, to: Unmanaged<InstanceBox<Product>>.self)
  }

  /// A copy of the instance of a ready word. Leaves the section, which has kept the box alive.
  @inlinable @_transparent
  func instance<Product>(of product: Product.Type, leaving section: Section) -> Product {
    defer { section.leave() }
    return unsafe box(of: product)._withUnsafeGuaranteedRef { $0.instance }
  }

  /// The record of a transient word without arguments.
  @inlinable @_transparent
  func transient<Product>(of product: Product.Type) -> Unmanaged<TypedFactoryRecord<Product>> {
    unsafe unsafeBitCast(transientAddress, to: Unmanaged<TypedFactoryRecord<Product>>.self)
  }

  /// The record of a transient word with arguments.
  @inlinable @_transparent
  func transient<Product, Arguments>(
    of product: Product.Type, arguments: Arguments.Type
  ) -> Unmanaged<ArgumentFactoryRecord<Product, Arguments>> {
    unsafe unsafeBitCast(
      transientAddress, to: Unmanaged<ArgumentFactoryRecord<Product, Arguments>>.self)
  }

  /// The record of a registration word.
  @inlinable @_transparent
  var record: Unmanaged<RegistrationRecord> {
    unsafe object(tagged: .registration)
  }

  /// Whether the word's registration has the plan ``RegistrationPlan/simpleSingleton``.
  @inline(__always)
  var isSimpleSingleton: Bool {
    isRegistration ? unsafe record._withUnsafeGuaranteedRef { $0.plan == .simpleSingleton } : false
  }

  /// The record of a scoped word.
  var scopedRecord: Unmanaged<RegistrationRecord> { unsafe object(tagged: .scoped) }

  /// The record of a word for the cells of resolutions.
  var graphRecord: Unmanaged<RegistrationRecord> { unsafe object(tagged: .graph) }

  /// The record of a word for instances stored by the record.
  var storedRecord: Unmanaged<RegistrationRecord> { unsafe object(tagged: .stored) }

  /// The box of an instance open to every resolve, behind a word for instances stored by the
  /// registration; `nil` without an instance, or in doubt. The key has no arguments.
  @inline(__always)
  func storedBox() -> UnsafeRawPointer? {
    guard isStored else { return nil }
    let box = unsafe storedRecord._withUnsafeGuaranteedRef { unsafe $0.servedBox }
    return unsafe box.map { unsafe UnsafeRawPointer($0.toOpaque()) }
  }

  /// As ``storedBox()``, for arguments at an address, of the types in the key.
  @inline(never)
  func storedBox(forArgumentsAt arguments: UnsafeRawPointer) -> UnsafeRawPointer? {
    guard isStored else { return nil }
    let box = unsafe storedRecord._withUnsafeGuaranteedRef {
      unsafe $0.instancesByArguments?.servedBox(forArgumentsAt: arguments)
    }
    return unsafe box.map { unsafe UnsafeRawPointer($0.toOpaque()) }
  }

  /// The box of a ready word, retained; `nil` for other words.
  var readyBox: AnyInstanceBox? {
    guard isReady else { return nil }
    let box: Unmanaged<AnyInstanceBox> = unsafe object(tagged: .ready)
    return unsafe box.takeUnretainedValue()
  }

  /// The registration behind any word but the absent one.
  var registration: Unmanaged<RegistrationRecord>? {
    if isAbsent { return nil }
    if !isReady { return unsafe object(tagged: tag) }
    let box: Unmanaged<AnyInstanceBox> = unsafe object(tagged: .ready)
    return unsafe box._withUnsafeGuaranteedRef { unsafe $0.registration }
  }
}

extension SlotWord.Tag {
  /// The tag of a word that leads to a registration. No initializer: one would take a reference.
  @inline(__always)
  fileprivate static func of(_ record: borrowing RegistrationRecord) -> Self {
    let policy = record.policy
    if record.plan == .bareFactory { return record.isInput ? .input : .transient }
    // Diverted: absence records are few, and the slow path looks at the record.
    if record.factoryKind == .absence { return .diverted }
    if policy.storage == .registration, policy.box.isStrong,
      record.key.arguments != nil || !policy.isPublishedToSlot
    {
      return record.isForwarding ? .registration : .stored
    }
    if !record.isInCells { return .registration }
    return policy.storage == .resolution ? .graph : .scoped
  }
}

extension AnyInstanceBox {
  /// A copy of the instance in a box that the section has kept alive. Leaves the section.
  @inline(__always)
  static func instance<Product>(
    of product: Product.Type, inBoxAt box: UnsafeRawPointer, leaving section: Section
  ) -> Product {
    defer { section.leave() }
    return unsafe instance(of: product, inBoxAt: box)
  }

  /// The registration that owns the box, if any.
  final var registration: Unmanaged<RegistrationRecord>? {
    get {
      // SAFETY: the setter below is the only one to set the owner.
      unsafe owner.map { unsafe Unmanaged.fromOpaque($0.toOpaque()) }
    }
    set { unsafe owner = newValue.map { unsafe Unmanaged.fromOpaque($0.toOpaque()) } }
  }
}
