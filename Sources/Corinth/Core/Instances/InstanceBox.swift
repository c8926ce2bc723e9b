// SPDX-License-Identifier: MIT

internal import Synchronization

/// An instance of any type, as the word of a slot points to it.
///
/// A stored box is owned by its registration, which outlives the box.
@usableFromInline
@safe
// SAFETY: the builder writes all variable properties before the box is published. The instance's
// type decides whether the instance may be shared, as with any singleton.
class AnyInstanceBox: @unchecked Sendable {
  /// The registration that owns the box, if any.
  // SAFETY: only used while a slot's word holds the box: the registration then owns the box.
  @exclusivity(unchecked) @usableFromInline final var owner: Unmanaged<AnyObject>?
  /// The ``completion``; the highest bit says that the end of the instance has been claimed.
  private final let completionWord = Atomic<UInt64>(0)
  /// The ``expiry`` or the ``notes``, with a reference; 0 for neither. The notes have a bit set. No
  /// instance has both: only constructions of instances served unchanged take notes.
  private final var attachment: UInt = 0
  /// The further boxes of an instance that is decorated, or served under further keys.
  final let companion = MadeOnce<CompanionBox>()

  init() {}

  deinit {
    HeldLocks.assertNone(AnyInstanceBox.self)
    if attachment != 0 { releaseAttachment() }
  }

  @inline(never)
  private final func releaseAttachment() {
    unsafe keptExpiry?.release()
    notes?.release()
  }

  /// The end of the instance's freshness; `nil` for none. Set at most once.
  final var expiry: Expiry? {
    get { unsafe keptExpiry?.takeUnretainedValue() }
    set {
      guard let newValue else { return }
      unsafe attachment = UInt(bitPattern: Unmanaged.passRetained(newValue).toOpaque())
    }
  }

  /// At +0: a hit does not count references.
  private final var keptExpiry: Unmanaged<Expiry>? {
    // SAFETY: without the bit of notes, the word is an expiry's address.
    if attachment & ResolveNotes.bit != 0 { return nil }
    return unsafe UnsafeRawPointer(bitPattern: attachment).map { unsafe Unmanaged.fromOpaque($0) }
  }

  /// The notes of the construction, owned by the box; `nil` for none. Set at most once.
  final var notes: ResolveNotes? { ResolveNotes(word: attachment) }

  /// Hands the notes over to the box.
  @inline(__always)
  final func take(_ notes: ResolveNotes) { attachment = notes.word }

  /// Whether other constructions may have resolved for the instance, whose own is to note all.
  final var isUnnoted: Bool { completionWord.load(ordering: .relaxed) & Self.unnoted != 0 }

  final func markUnnoted() { completionWord.bitwiseOr(Self.unnoted, ordering: .relaxed) }

  /// Whether the instance is open to every resolve; `false` if only the exact clock can tell.
  @inline(__always)
  final var isSurelyFresh: Bool {
    guard let keptExpiry = unsafe keptExpiry else { return true }
    // SAFETY: the box has a reference.
    return unsafe keptExpiry._withUnsafeGuaranteedRef { $0.isSurelyFresh }
  }

  /// The instance.
  var product: Any {
    preconditionFailure("AnyInstanceBox.product: must be overridden for each type of product")
  }

  /// Calls `body` with the address of the instance.
  func withProduct(_ body: (UnsafeRawPointer) throws -> Void) rethrows {
    preconditionFailure(
      "AnyInstanceBox.withProduct: must be overridden for each type of product")
  }

  /// A new box with the same instance.
  func makeCopy() -> AnyInstanceBox {
    preconditionFailure("AnyInstanceBox.makeCopy: must be overridden for each type of product")
  }

  /// A box that holds the instance weakly.
  func makeWeakBox() throws(InstanceError) -> AnyWeakBox {
    preconditionFailure("AnyInstanceBox.makeWeakBox: must be overridden for each type of product")
  }

  /// The number of the instance, in the order of completion of instances with disposers.
  final var completion: UInt64 {
    completionWord.load(ordering: .relaxed) & ~(Self.claimed | Self.unnoted)
  }

  /// Whether a closing disposes of the instance first.
  final func isDisposedOf(before other: AnyInstanceBox) -> Bool {
    Self.isDisposedOf(completion, before: other.completion)
  }

  /// As ``isDisposedOf(before:)``, for the numbers of two instances.
  static func isDisposedOf(_ completion: UInt64, before other: UInt64) -> Bool {
    // An instance without a number was built before its first disposer came, but after all that it
    // depends on: it counts as completed last.
    completion &- 1 > other &- 1
  }

  /// Numbers the completion of an instance with a disposer. Called before the box is published.
  final func markCompleted(_ number: UInt64) {
    completionWord.bitwiseOr(number, ordering: .relaxed)
  }

  /// Lets the caller dispose of the instance, or report the instance as dropped undisposed. Several
  /// callers may compete: an override, a closing, the construction that stored the instance.
  ///
  /// - Returns: whether this call is the first.
  final func claimEnd() -> Bool {
    completionWord.bitwiseOr(Self.claimed, ordering: .relaxed).oldValue & Self.claimed == 0
  }

  private static var claimed: UInt64 { 1 << 63 }
  private static var unnoted: UInt64 { 1 << 62 }
}

/// An instance of a type.
@usableFromInline
// SAFETY: see the superclass; the instance is constant.
final class InstanceBox<Product>: AnyInstanceBox, @unchecked Sendable {
  @usableFromInline let instance: Product

  required init(_ instance: Product) {
    self.instance = instance
    super.init()
  }

  override var product: Any { instance }

  override func withProduct(_ body: (UnsafeRawPointer) throws -> Void) rethrows {
    // SAFETY: the box holds the instance, which is constant.
    unsafe try withUnsafePointer(to: instance) { unsafe try body(UnsafeRawPointer($0)) }
  }

  override func makeCopy() -> AnyInstanceBox { InstanceBox(instance) }

  override func makeWeakBox() throws(InstanceError) -> AnyWeakBox {
    guard let object = object(of: instance) else {
      throw .notAClassInstance(product: Product.self, instance: type(of: instance as Any))
    }
    return WeakBox(instance, object: object)
  }
}

extension AnyInstanceBox {
  /// The instance of a box known to hold an instance of the type.
  @inline(__always)
  func instance<Product>(of product: Product.Type) -> Product {
    unsafe Self.instance(of: product, inBoxAt: Unmanaged.passUnretained(self).toOpaque())
  }

  /// As ``instance(of:)``, for the address of a box, at +0. Library functions that take closures
  /// are not inlined where nothing is specialized.
  ///
  /// By address: the runtime takes longer to look up the class of a box than all other work takes.
  @inline(__always)
  static func instance<Product>(
    of product: Product.Type, inBoxAt box: UnsafeRawPointer
  ) -> Product {
    // SAFETY: the key of a slot or registration decides the product of its boxes. The instance is
    // the only property of the subclass; properties are laid out in order, aligned for their types.
    let alignment = MemoryLayout<Product>.alignment
    let offset = (Self.size + alignment - 1) & ~(alignment - 1)
    return unsafe (box + offset).assumingMemoryBound(to: Product.self).pointee
  }

  /// The size of the object's header and four words.
  private static var size: Int { 16 + 4 * MemoryLayout<UInt>.size }
}

extension PlaceWord {
  /// The box of the instance; `nil` for none. Needs a section. Neither for a weak instance, nor for
  /// an instance without a box.
  var box: AnyInstanceBox? {
    isBuilding ? nil : unsafe content(as: AnyInstanceBox.self)?.takeUnretainedValue()
  }
}

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

/// The object of a class instance; `nil` for a value.
///
/// A cast to `AnyObject` takes 4,000 instructions, for the search of a conformance.
///
/// Wait-free.
package func object(of instance: Any) -> AnyObject? {
  func object<Instance>(_ instance: Instance) -> AnyObject? {
    // SAFETY: an instance of a class is one reference.
    isClass(Instance.self) ? unsafe unsafeBitCast(instance, to: AnyObject.self) : nil
  }
  if let object = _openExistential(instance, do: object) { return object }
  // In generic code, an existential comes inside a second existential.
  return type(of: instance) is AnyClass ? instance as AnyObject : nil
}
