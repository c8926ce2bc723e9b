// SPDX-License-Identifier: MIT

internal import Synchronization

/// A reference that any thread may read while another thread replaces it. Lock-free.
// SAFETY: the word owns a reference to the object; a replaced object is retired, since readers may
// be about to retain the object.
@safe
struct ReplaceableReference<Object: AnyObject>: ~Copyable, @unchecked Sendable {
  private let word = Atomic<UInt>(0)

  /// Whether no object is stored.
  ///
  /// A writer publishes a registration, then reads this word; a composer exchanges this word, then
  /// reads the registrations. Sequentially consistent, as `exchange`, so that one sees the other.
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
    return unsafe unretained(in: section)?.takeUnretainedValue()
  }

  /// The object, at +0, as long as the section is open, or a use of the object's address.
  @inline(__always)
  func unretained(in section: Section) -> Unmanaged<Object>? {
    // Pairs with the exchange in `store`.
    unsafe object(word.load(ordering: .acquiring))
  }

  /// Calls `body`, which is short, with the object, whose references are not counted.
  @inline(__always)
  func inSection<Result>(_ body: (Object) -> Result) -> Result? {
    if isNil { return nil }
    let section = Section.enter()
    defer { section.leave() }
    // SAFETY: the section.
    return unsafe unretained(in: section)?._withUnsafeGuaranteedRef(body)
  }

  /// Replaces the object. No lock is held: deinits may run in this call.
  ///
  /// - Returns: the replaced object.
  @discardableResult
  func store(_ object: Object?) -> Object? {
    let replaced = exchange(object)
    let former = unsafe self.object(replaced.word)?.takeUnretainedValue()
    retire(replaced)
    return former
  }

  /// Replaces the object.
  ///
  /// - Returns: the replaced object, for ``retire(_:)`` once no lock is held.
  func exchange(_ object: Object?) -> Replaced {
    let reference = object.map { unsafe UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) }
    return Replaced(word: word.exchange(reference ?? 0, ordering: .sequentiallyConsistent))
  }

  /// Replaces the object by the result of `change`, which may be called several times. No lock is
  /// held: deinits may run in this call.
  func update(_ change: (Object?) -> Object) {
    while !tryUpdate(change) {}
  }

  private func tryUpdate(_ change: (Object?) -> Object) -> Bool {
    // The section keeps the address from being reused before the comparison. Pairs with `exchange`.
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

  /// Releases a replaced object, once no reader can be about to retain the object.
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
