// SPDX-License-Identifier: MIT

public import Synchronization

/// The state of one registration's shared instance: empty, building, built or sealed.
///
///     empty --claim--> building(owner) --exchange--> built(box) --claim (weak, dead)--> building ...
///       ^                    |
///       +----- exchange -----+   the factory threw: the next caller retries
///
///     empty --seal--> sealed     the container has closed: no construction begins any more
///
/// One word. Invariants
///  1. `claim` moves the word from empty or built to building, by compare-and-exchange: exactly one
///     caller wins, and that caller alone ends the construction.
///  2. The word owns one reference to its object. A box is given up only to the epoch, since
///     readers may be inside of it; a construction is released by its owner.
///  3. The contended bit is set under the mutex of the wait-for graph and only while building. An
///     owner that finds it set takes that mutex before it releases its construction, so a resolve
///     that has set it may use the construction until the mutex is given up. An owner that does not
///     find it set knows that nobody has read the address of the construction to follow it: it may
///     use the construction again at once, in this state, too. The word says all that a resolve
///     relies on, so that one that sets the bit late joins what is under way then.
@usableFromInline
// SAFETY: the only property is atomic.
class InstanceState: @unchecked Sendable {
  @usableFromInline final let word = Atomic<UInt>(0)

  @inlinable static var building: UInt { 1 }
  @inlinable static var contended: UInt { 2 }
  /// Contended without building: no other state looks like this.
  @inlinable static var sealed: UInt { 2 }

  @usableFromInline
  @safe
  enum Current {
    case empty
    case building
    case sealed
    /// The box, at +0: alive as long as the registration for a singleton, for a weak instance as
    /// long as the section in which it was read.
    case built(Unmanaged<AnyObject>)
  }

  @usableFromInline
  init() {}

  /// Whether it is a record that hides the registration of an ancestor, and is none itself.
  var isAbsence: Bool { false }

  @inlinable final var current: Current {
    // Pairs with the release half of `exchange`.
    let found = word.load(ordering: .acquiring)
    if found == 0 { return .empty }
    if found == Self.sealed { return .sealed }
    if found & Self.building != 0 { return .building }
    return unsafe .built(object(found, as: AnyObject.self))
  }

  /// Makes the caller's construction the one that builds, if the state has not changed since the caller read it.
  ///
  /// - Parameters:
  ///   - owner: the construction, with a reference, which a successful claim takes over: it is the word's until
  ///     ``exchange(with:)``.
  ///   - box: the unusable box that the state held, `nil` if it was empty. After a successful claim, the caller
  ///     must retire it.
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

  /// Ends the construction that the caller claimed: with a box, or empty. The caller must then release its
  /// reference to the construction.
  ///
  /// - Returns: whether a resolve has joined the construction. It may be using it until the mutex of the
  ///   wait-for graph has been taken once more.
  final func exchange(with box: AnyObject?) -> Bool {
    let built = box.map { unsafe UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) }
    // Pairs with the acquiring loads of `current` and `join`, and with `claimEnd`.
    let previous = word.exchange(built ?? 0, ordering: .sequentiallyConsistent)
    return previous & Self.contended != 0
  }

  /// Makes the caller the one that accounts for the instance, if there is one: see ``AnyInstanceBox/claimEnd()``.
  ///
  /// Sequentially consistent, as `exchange`: a caller marks the registration or the scope as dropped, then reads the
  /// state; a construction stores its instance, then reads the mark. At least one finds the instance dropped. The
  /// state holds no weak box.
  final func claimEnd() -> Bool {
    // The section keeps the box alive.
    let section = Section.enter()
    defer { section.leave() }
    let found = word.load(ordering: .sequentiallyConsistent)
    if found == 0 || found & (Self.building | Self.contended) != 0 { return false }
    // SAFETY: no flag is set, so the word is the address of a box, which is strong.
    return unsafe object(found, as: AnyInstanceBox.self)._withUnsafeGuaranteedRef { $0.claimEnd() }
  }

  /// Publishes a newer box in place of an expired one, which the caller must then retire, or of none.
  ///
  /// - Returns: `false` when another refresh has come first, which takes a fork in the middle of one.
  final func replace(_ box: Unmanaged<AnyObject>?, with newer: AnyObject) -> Bool {
    let older = unsafe box.map { unsafe UInt(bitPattern: $0.toOpaque()) } ?? 0
    let reference = unsafe Unmanaged.passRetained(newer)
    let desired = unsafe UInt(bitPattern: reference.toOpaque())
    let (isReplaced, _) = word.compareExchange(
      expected: older, desired: desired, ordering: .sequentiallyConsistent)
    if !isReplaced { unsafe reference.release() }
    return isReplaced
  }

  /// Prevents new constructions, if there is neither an instance nor a construction under way.
  ///
  /// - Returns: whether no construction is under way: there is an instance, or there will never be one.
  final func seal() -> Bool {
    let (_, found) = word.compareExchange(
      expected: 0, desired: Self.sealed, ordering: .acquiringAndReleasing)
    return found & Self.building == 0
  }

  /// Announces that the caller waits, and returns the construction to wait for; `nil` when none is under way
  /// any more. The mutex of the wait-for graph is held.
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

  /// Takes the building state away from a thread that does not exist in this process, because it was
  /// forked while that thread was building. The mutex of the wait-for graph is held.
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
    // The registration is unreachable: no construction is under way, and no reader is inside its box.
    let found = word.load(ordering: .acquiring)
    if found & ~(Self.building | Self.contended) == found, found != 0 {
      let box = unsafe UnsafeRawPointer(bitPattern: found).unsafelyUnwrapped
      unsafe Unmanaged<AnyObject>.fromOpaque(box).release()
    }
  }
}
