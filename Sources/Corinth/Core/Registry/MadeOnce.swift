// SPDX-License-Identifier: MIT

internal import Synchronization

/// A reference stored once, by whichever thread comes first, and never replaced.
///
/// As `AtomicLazyReference`, with an inlined deinit: most are empty, in objects made for a request.
// SAFETY: the word owns a reference to the object.
@safe
struct MadeOnce<Object: AnyObject>: ~Copyable, @unchecked Sendable {
  private let word: Atomic<UInt>

  @inline(__always)
  init(_ object: consuming Object? = nil) {
    let reference = unsafe object.map { unsafe Unmanaged.passRetained($0) }
    word = unsafe Atomic(UInt(bitPattern: reference?.toOpaque()))
  }

  @inline(__always)
  func load() -> Object? {
    // Pairs with the release half of the exchange below.
    unsafe object(word.load(ordering: .acquiring))?.takeUnretainedValue()
  }

  /// The object at +0: alive as long as the owner of this reference.
  @inline(__always)
  var unretained: Unmanaged<Object>? { unsafe object(word.load(ordering: .acquiring)) }

  /// Whether no object is stored yet. Pairs as ``load()`` does.
  @inline(__always)
  var isNil: Bool { word.load(ordering: .acquiring) == 0 }

  /// Stores an object, unless an object is stored.
  ///
  /// - Returns: the stored object.
  func storeIfNil(_ made: Object) -> Object {
    let reference = unsafe Unmanaged.passRetained(made)
    let (isFirst, first) = word.compareExchange(
      expected: 0, desired: unsafe UInt(bitPattern: reference.toOpaque()),
      ordering: .acquiringAndReleasing)
    if isFirst { return made }
    unsafe reference.release()
    return unsafe object(first).unsafelyUnwrapped.takeUnretainedValue()
  }

  /// Releases a chain of objects one by one: the nested deinits of a long chain would need more
  /// than a thread's stack. For the deinit of the owner. Other users of the chain keep the rest.
  ///
  /// - Parameter takeNext: takes the next object out of an object.
  @inline(__always)
  func releaseChain(_ takeNext: (Object) -> Object?) {
    if isNil { return }
    var object = takeUnshared()
    while isKnownUniquelyReferenced(&object), let last = object { object = takeNext(last) }
  }

  /// Takes the object out. Nobody else uses the owner of the reference.
  func takeUnshared() -> Object? {
    // Pairs with `storeIfNil`: the object may have been stored by another thread.
    unsafe object(word.exchange(0, ordering: .acquiring))?.takeRetainedValue()
  }

  @inline(__always)
  private func object(_ address: UInt) -> Unmanaged<Object>? {
    unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged.fromOpaque($0) }
  }

  @inline(__always)
  deinit {
    if let last = unsafe object(word.load(ordering: .relaxed)) { unsafe last.release() }
  }
}
