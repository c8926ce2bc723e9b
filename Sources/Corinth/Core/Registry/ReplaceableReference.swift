// SPDX-License-Identifier: MIT

internal import Synchronization

/// A reference that any thread may read while another replaces it. Lock-free.
// SAFETY: the word owns a reference to the object; one that was replaced is retired, since readers may be about
// to retain it.
@safe
struct ReplaceableReference<Object: AnyObject>: ~Copyable, @unchecked Sendable {
  private let word = Atomic<UInt>(0)

  func load() -> Object? {
    let section = Section.enter()
    defer { section.leave() }
    // Pairs with the exchange in `store`.
    return unsafe object(word.load(ordering: .acquiring))?.takeUnretainedValue()
  }

  func store(_ object: Object?) {
    let reference = object.map { unsafe UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) }
    let replaced = word.exchange(reference ?? 0, ordering: .sequentiallyConsistent)
    if let replaced = unsafe self.object(replaced) { unsafe Reclamation.retire(replaced) }
  }

  /// As ``store(_:)``, and returns the object replaced.
  func exchange(_ object: Object?) -> Object? {
    let reference = object.map { unsafe UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) }
    let replaced = word.exchange(reference ?? 0, ordering: .sequentiallyConsistent)
    guard let replaced = unsafe self.object(replaced) else { return nil }
    let former = unsafe replaced.takeUnretainedValue()
    unsafe Reclamation.retire(replaced)
    return former
  }

  /// Whether there is no object.
  var isNil: Bool { word.load(ordering: .acquiring) == 0 }

  private func object(_ address: UInt) -> Unmanaged<Object>? {
    unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged.fromOpaque($0) }
  }

  deinit {
    if let last = unsafe object(word.load(ordering: .relaxed)) { unsafe last.release() }
  }
}
