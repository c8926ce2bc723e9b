// SPDX-License-Identifier: MIT

public import Synchronization

/// The state of one registration's shared instance: empty, building, built or sealed.
///
///     empty --claim--> building(owner) --exchange--> built(box) --claim (weak, dead)--> building
///       ^                    |
///       +----- exchange -----+   the factory threw: the next caller retries
///
///     empty --seal--> sealed     the container has closed: no construction begins any more
///     built --seal--> sealed     for one value of the arguments: the instance is dead, or released
///
/// A state in one word. Invariants
///  1. `claim` moves the word from empty or built to building, by compare-and-exchange: exactly one
///     caller wins, and that caller alone ends the construction.
///  2. The word owns one reference to its object. Boxes are released only through the epoch, since
///     readers may be inside; a construction is released by its owner.
///  3. The contended bit is set under the mutex of the wait-for graph, and only while building. An
///     owner that finds the bit set takes the mutex before it releases the construction, so a
///     resolve may use the construction from setting the bit until unlocking the mutex. An owner
///     that finds the bit clear knows that no thread has read the construction's address to follow
///     it: the owner may reuse the construction at once, even in this state. The word says all that
///     a resolve relies on: a resolve that sets the bit late joins the construction under way.
@usableFromInline
// SAFETY: the only property is atomic.
class InstanceState: @unchecked Sendable {
  @usableFromInline final let word = Atomic<UInt>(0)

  @inlinable static var building: UInt { 1 }
  @inlinable static var contended: UInt { 2 }
  /// Contended without building: a combination of no other state.
  @inlinable static var sealed: UInt { 2 }

  @usableFromInline
  @safe
  enum Current {
    case empty
    case building
    case sealed
    /// The box, at +0: alive as long as the registration for a singleton without arguments; for
    /// others, until the end of the section of the read.
    case built(Unmanaged<AnyObject>)
  }

  @usableFromInline
  init() {}

  /// Whether the state belongs to an absence record, which hides an ancestor's registration.
  var isAbsence: Bool { false }

  /// How the instance under construction was released, if so: no further construction begins.
  var release: ReleaseMark? { nil }

  @inlinable final var current: Current {
    // Pairs with the release half of `exchange`.
    let found = word.load(ordering: .acquiring)
    if found == 0 { return .empty }
    if found == Self.sealed { return .sealed }
    if found & Self.building != 0 { return .building }
    return unsafe .built(object(found, as: AnyObject.self))
  }

  /// Whether a construction is under way. Sequentially consistent, as the caller's mark before the
  /// call: see ``ArgumentEntry``.
  final var isBuilding: Bool {
    word.load(ordering: .sequentiallyConsistent) & Self.building != 0
  }

  /// Publishes the caller's construction as the builder, if the state is as the caller read it.
  ///
  /// - Parameters:
  ///   - owner: the construction, with a reference that a successful claim transfers to the word,
  ///     until ``exchange(with:)``.
  ///   - box: the unusable box in the state, `nil` for an empty state. After a successful claim,
  ///     the caller must retire the box.
  @inline(__always)
  final func claim(
    _ owner: Unmanaged<some AnyObject>, replacing box: Unmanaged<AnyObject>?
  ) -> Bool {
    let expected = unsafe box.map { unsafe UInt(bitPattern: $0.toOpaque()) } ?? 0
    let desired = unsafe UInt(bitPattern: owner.toOpaque()) | Self.building
    return word.compareExchange(
      expected: expected, desired: desired, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// Ends the construction claimed by the caller: with a box, or empty. The caller must then
  /// release the reference to the construction.
  ///
  /// - Returns: whether a resolve has joined the construction. The resolve may use the construction
  ///   until the mutex of the wait-for graph has been taken once more.
  final func exchange(with box: AnyObject?) -> Bool {
    let built = box.map { unsafe UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) }
    // Pairs with the acquiring loads of `current` and `join`, and with `claimEnd`.
    let previous = word.exchange(built ?? 0, ordering: .sequentiallyConsistent)
    return previous & Self.contended != 0
  }

  /// Lets the caller account for the instance, if any: see ``AnyInstanceBox/claimEnd()``.
  ///
  /// Sequentially consistent, as `exchange`: a caller marks the registration or the scope as
  /// dropped, then reads the state; a construction stores its instance, then reads the mark. At
  /// least one of them finds the instance dropped. The state holds no weak box.
  final func claimEnd() -> Bool {
    // The section keeps the box alive.
    let section = Section.enter()
    defer { section.leave() }
    let found = word.load(ordering: .sequentiallyConsistent)
    if found == 0 || found & (Self.building | Self.contended) != 0 { return false }
    // SAFETY: without flags, the word is the address of a box, a strong one.
    return unsafe object(found, as: AnyInstanceBox.self)._withUnsafeGuaranteedRef { $0.claimEnd() }
  }

  /// Publishes a newer box in place of a box that something else keeps alive, and retires that box.
  ///
  /// - Returns: `false` if the state has changed since the caller read it.
  final func replace(_ box: Unmanaged<AnyObject>, with newer: AnyInstanceBox) -> Bool {
    let reference = unsafe Unmanaged.passRetained(newer)
    let (isReplaced, _) = unsafe word.compareExchange(
      expected: UInt(bitPattern: box.toOpaque()), desired: UInt(bitPattern: reference.toOpaque()),
      ordering: .sequentiallyConsistent)
    // SAFETY: the exchange took the box out, and with it the state's reference.
    if isReplaced { unsafe Reclamation.retire(box) } else { unsafe reference.release() }
    return isReplaced
  }

  /// Whether no construction begins any more, and no instance is in the state.
  @inline(__always)
  final var isSealed: Bool { word.load(ordering: .acquiring) == Self.sealed }

  /// Prevents new constructions, if there is neither an instance nor a construction under way.
  ///
  /// - Returns: whether no construction is under way: an instance exists, or never will.
  final func seal() -> Bool {
    let (_, found) = word.compareExchange(
      expected: 0, desired: Self.sealed, ordering: .acquiringAndReleasing)
    return found & Self.building == 0
  }

  /// Seals the state in place of an instance that no further resolve is to get; `nil` for none. The
  /// caller must then retire the box.
  ///
  /// - Returns: `false` if the state has changed since the caller read it.
  final func seal(replacing box: Unmanaged<AnyObject>?) -> Bool {
    let expected = unsafe box.map { unsafe UInt(bitPattern: $0.toOpaque()) } ?? 0
    return word.compareExchange(
      expected: expected, desired: Self.sealed, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// Announces that the caller waits, and returns the construction to wait for; `nil` without a
  /// construction under way. The mutex of the wait-for graph is held.
  final func joinAssumingWaitsLockHeld() -> AnyObject? {
    while true {
      let found = word.load(ordering: .acquiring)
      guard found & Self.building != 0 else { return nil }
      if found & Self.contended == 0 {
        let (exchanged, _) = word.compareExchange(
          expected: found, desired: found | Self.contended, ordering: .acquiringAndReleasing)
        guard exchanged else { continue }
      }
      // SAFETY: invariant 3.
      return unsafe object(found, as: AnyObject.self).takeUnretainedValue()
    }
  }

  /// Takes the building state away from a lost thread: the process was forked while the thread was
  /// building, and the thread does not exist here. The mutex of the wait-for graph is held.
  ///
  /// The construction's reference stays with the lost thread.
  final func abandonAssumingWaitsLockHeld() {
    word.store(0, ordering: .releasing)
  }

  @inlinable
  final func object<Object: AnyObject>(_ found: UInt, as: Object.Type) -> Unmanaged<Object> {
    // SAFETY: the word is not empty and its low bits are flags; invariant 2.
    let address = found & ~(Self.building | Self.contended)
    return unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }

  deinit {
    // The registration is unreachable: no construction is under way, no reader inside the box.
    let found = word.load(ordering: .acquiring)
    if found & ~(Self.building | Self.contended) == found, found != 0 {
      let box = unsafe UnsafeRawPointer(bitPattern: found).unsafelyUnwrapped
      unsafe Unmanaged<AnyObject>.fromOpaque(box).release()
    }
  }
}
