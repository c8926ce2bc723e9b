// SPDX-License-Identifier: MIT

internal import Synchronization

/// A reference that any thread may read while another replaces it. Lock-free.
// SAFETY: the word owns a reference to the object; one that was replaced is retired, since readers may be about
// to retain it.
@safe
struct ReplaceableReference<Object: AnyObject>: ~Copyable, @unchecked Sendable {
  private let word = Atomic<UInt>(0)

  /// Whether there is no object.
  ///
  /// A writer publishes a registration and then reads this word; a composer exchanges this word and then reads the
  /// registrations. Sequential consistency, here and in `exchange`, keeps both from missing the other.
  @inline(__always)
  var isNil: Bool { word.load(ordering: .sequentiallyConsistent) == 0 }

  @inline(__always)
  func load() -> Object? {
    isNil ? nil : loadObject()
  }

  @inline(never)
  private func loadObject() -> Object? {
    let section = Section.enter()
    defer { section.leave() }
    // Pairs with the exchange in `store`.
    return unsafe object(word.load(ordering: .acquiring))?.takeUnretainedValue()
  }

  /// Replaces the object. No lock is held: deinits may run in this call.
  ///
  /// - Returns: the one replaced.
  @discardableResult
  func store(_ object: Object?) -> Object? {
    let replaced = exchange(object)
    let former = unsafe self.object(replaced.word)?.takeUnretainedValue()
    retire(replaced)
    return former
  }

  /// Replaces the object.
  ///
  /// - Returns: the one replaced, which has to be given to ``retire(_:)`` once no lock is held.
  func exchange(_ object: Object?) -> Replaced {
    let reference = object.map { unsafe UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) }
    return Replaced(word: word.exchange(reference ?? 0, ordering: .sequentiallyConsistent))
  }

  /// Replaces the object by what `change` makes of it, which may be called several times. No lock is held: deinits may
  /// run in this call.
  func update(_ change: (Object?) -> Object) {
    while !tryUpdate(change) {}
  }

  private func tryUpdate(_ change: (Object?) -> Object) -> Bool {
    // The section keeps the address from being used again before it is compared.
    let section = Section.enter()
    let found = word.load(ordering: .acquiring)
    let made = change(unsafe object(found)?.takeUnretainedValue())
    let desired = unsafe Unmanaged.passRetained(made)
    let (isExchanged, _) = word.compareExchange(
      expected: found, desired: unsafe UInt(bitPattern: desired.toOpaque()),
      ordering: .acquiringAndReleasing)
    section.leave()
    if isExchanged {
      retire(Replaced(word: found))
    } else {
      unsafe desired.release()
    }
    return isExchanged
  }

  /// Releases an object that was replaced, once no reader can be about to retain it.
  func retire(_ replaced: consuming Replaced) {
    if let object = unsafe object(replaced.word) { unsafe Reclamation.retire(object) }
  }

  struct Replaced: ~Copyable {
    fileprivate let word: UInt
  }

  private func object(_ address: UInt) -> Unmanaged<Object>? {
    unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged.fromOpaque($0) }
  }

  deinit {
    if let last = unsafe object(word.load(ordering: .relaxed)) { unsafe last.release() }
  }
}
