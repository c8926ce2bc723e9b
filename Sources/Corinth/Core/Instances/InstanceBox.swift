// SPDX-License-Identifier: MIT

internal import Synchronization

/// An instance as a slot's word points to it, without its type.
///
/// A box that its registration stores is owned by the registration, which therefore outlives it.
@usableFromInline
@safe
// SAFETY: the properties that are not constant are written by the builder, before the box is published. The
// type of the instance decides whether it may be shared, as with any singleton.
class AnyInstanceBox: @unchecked Sendable {
  /// The registration that owns the box, if one does.
  // SAFETY: only used while the box is in a slot's word: the registration owns it then.
  @exclusivity(unchecked) @usableFromInline final var owner: Unmanaged<AnyObject>?
  /// The ``completion``; the highest bit says that the end of the instance has been claimed, the next one that its
  /// dependencies are noted.
  private final let completionWord = Atomic<UInt64>(0)
  /// The ``expiry``, with a reference: a hit does not count one.
  private final var keptExpiry: Unmanaged<Expiry>?
  /// The noted dependencies, with a reference; `nil` for none.
  private final var keptDependencies: Unmanaged<InstanceDependencies>?
  /// What belongs to a decorated instance, or to one that is decorated for other keys.
  final let companion = MadeOnce<CompanionBox>()

  init() {}

  deinit {
    HeldLocks.assertNone(AnyInstanceBox.self)
    unsafe keptExpiry?.release()
    unsafe keptDependencies?.release()
  }

  /// The end of its freshness; `nil` for none. Set at most once.
  final var expiry: Expiry? {
    get { unsafe keptExpiry?.takeUnretainedValue() }
    set { unsafe keptExpiry = newValue.map { unsafe Unmanaged.passRetained($0) } }
  }

  /// What is known of the instance's dependencies.
  final var dependencies: Dependencies {
    if completionWord.load(ordering: .relaxed) & Self.noted == 0 { return .unknown }
    guard let kept = unsafe keptDependencies else { return .nothing }
    return unsafe .noted(kept.takeUnretainedValue())
  }

  /// Notes the dependencies, `nil` for none. Called at most once, before the box is published.
  @inline(__always)
  final func note(_ dependencies: InstanceDependencies?) {
    let word = completionWord.load(ordering: .relaxed)
    completionWord.store(word | Self.noted, ordering: .relaxed)
    unsafe keptDependencies = dependencies.map { unsafe Unmanaged.passRetained($0) }
  }

  /// Whether each resolve may have the instance; `false` if that takes a look at the exact clock.
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

  /// A box of its own with the same instance.
  func makeCopy() -> AnyInstanceBox {
    preconditionFailure("AnyInstanceBox.makeCopy: must be overridden for each type of product")
  }

  /// A box that holds the instance weakly.
  func makeWeakBox() throws(InstanceError) -> AnyWeakBox {
    preconditionFailure("AnyInstanceBox.makeWeakBox: must be overridden for each type of product")
  }

  /// Numbers the instances that are going to be disposed of, in the order in which they were completed.
  final var completion: UInt64 {
    completionWord.load(ordering: .relaxed) & ~(Self.claimed | Self.noted)
  }

  /// Whether a closing disposes of it first.
  final func isDisposedOf(before other: AnyInstanceBox) -> Bool {
    Self.isDisposedOf(completion, before: other.completion)
  }

  /// The same for the numbers of two instances.
  static func isDisposedOf(_ completion: UInt64, before other: UInt64) -> Bool {
    // One without a number was built before its first disposer came, after all that it depends on: it counts as the last.
    completion &- 1 > other &- 1
  }

  /// Numbers the completion of an instance that is going to be disposed of. Called before it is published.
  final func markCompleted(_ number: UInt64) {
    let word = completionWord.load(ordering: .relaxed)
    completionWord.store(number | word & Self.noted, ordering: .relaxed)
  }

  /// Makes the caller the one that disposes of the instance, or reports that it was dropped undisposed. Several may
  /// find it at the same time: an override, a closing, and the construction that has just stored it.
  ///
  /// - Returns: whether this call is the first.
  final func claimEnd() -> Bool {
    completionWord.bitwiseOr(Self.claimed, ordering: .relaxed).oldValue & Self.claimed == 0
  }

  private static var claimed: UInt64 { 1 << 63 }
  private static var noted: UInt64 { 1 << 62 }
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
    // SAFETY: this holds the instance, which is constant.
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
  /// The instance of a box that is known to hold one of this type.
  @inline(__always)
  func instance<Product>(of product: Product.Type) -> Product {
    unsafe Self.instance(of: product, inBoxAt: Unmanaged.passUnretained(self).toOpaque())
  }

  /// The same for the address of a box, at +0. Functions of the library that take closures are not inlined where
  /// nothing is specialized.
  ///
  /// By its address: the runtime takes longer to look up the class of a box than all else takes.
  @inline(__always)
  static func instance<Product>(
    of product: Product.Type, inBoxAt box: UnsafeRawPointer
  ) -> Product {
    // SAFETY: the key of a slot or registration decides the product of the boxes that come from it. The instance is the
    // only property of its class, and properties follow one another, each aligned for its type.
    let alignment = MemoryLayout<Product>.alignment
    let offset = (Self.size + alignment - 1) & ~(alignment - 1)
    return unsafe (box + offset).assumingMemoryBound(to: Product.self).pointee
  }

  /// The size of the object's header and five words.
  private static var size: Int { 16 + 5 * MemoryLayout<UInt>.size }
}

extension InstanceState {
  /// The box of the instance; `nil` if there is none. Inside of a section, unless the state is known to keep it. Not for a
  /// weak instance.
  final var builtBox: AnyInstanceBox? {
    guard case .built(let built) = current else { return nil }
    // SAFETY: other states than those of weak instances hold boxes of this class.
    return unsafe unsafeDowncast(built.takeUnretainedValue(), to: AnyInstanceBox.self)
  }

  /// The box of an instance that each resolve may have, at +0; `nil` if there is none, or only the exact clock can tell.
  /// Inside of a section. Not for a weak instance.
  @inline(__always)
  final var servedBox: Unmanaged<AnyInstanceBox>? {
    guard case .built(let built) = current else { return nil }
    // SAFETY: other states than those of weak instances hold boxes of this class. The section keeps it alive.
    let box = unsafe Unmanaged<AnyInstanceBox>.fromOpaque(built.toOpaque())
    return unsafe box._withUnsafeGuaranteedRef { $0.isSurelyFresh } ? box : nil
  }
}
