// SPDX-License-Identifier: MIT

internal import CCorinth

/// Where one instance is, or will be: a word that is empty, building, built or sealed.
///
///     empty --claim--> building(owner) --exchange--> built(box) --claim (unusable)--> building
///       ^                    |
///       +----- exchange -----+   the factory threw: the next caller retries
///
///     empty --seal--> sealed     no construction begins any more
///
/// The word lies in a state or in a cell: see ``InstanceState`` and note 24 for their seals.
/// Invariants
///  1. `claim` moves the word from empty or built to building, by compare-and-exchange: exactly one
///     caller wins, and the winner alone ends the construction.
///  2. The word owns one reference to its object. Boxes are released only through the epoch, since
///     readers may be inside; a construction is released by its owner.
///  3. The contended bit is set under the mutex of the wait-for graph, and only while building. An
///     owner that finds the bit set takes the mutex before the release of the construction, so a
///     resolve may use the construction from setting the bit until unlocking the mutex. With the
///     bit clear, no thread has followed the construction's address: the owner may reuse the
///     construction at once, even in this place. A resolve relies on the word alone: a resolve that
///     sets the bit late joins the construction under way.
protocol AtomicPlace {
  /// Sequentially consistent: pairs with the exchange, and with the caller's marks before the call.
  func load() -> PlaceWord

  /// Stores `word` if the place still holds `expected`. Sequentially consistent.
  func exchange(_ expected: PlaceWord, with word: PlaceWord) -> Bool
}

extension AtomicPlace {
  /// Whether a resolve may get an instance here.
  var isBuilt: Bool { load().isBuilt }

  /// Whether a construction is under way.
  var isBuilding: Bool { load().isBuilding }

  /// Whether no construction begins any more, and no resolve gets an instance here.
  @inline(__always)
  var isSealed: Bool { load().isSealed }

  /// Publishes the caller's construction as the builder, if the place is as the caller read it.
  ///
  /// - Parameters:
  ///   - owner: the construction, with a reference that a successful claim transfers to the word,
  ///     until ``exchange(with:)``.
  ///   - word: empty, or with an unusable box. After a successful claim, the caller must retire the
  ///     box.
  @inline(__always)
  func claim(_ owner: Unmanaged<some AnyObject>, replacing word: PlaceWord) -> Bool {
    unsafe exchange(word, with: PlaceWord(builtBy: owner))
  }

  /// Ends the construction claimed by the caller: with a box, or without an instance. The caller
  /// must then release the reference to the construction. A word that is left gets no box.
  ///
  /// - Returns: the former word. If contended, a resolve has joined the construction, and may use
  ///   the construction until the mutex of the wait-for graph has been taken once more.
  @inline(__always)
  func exchange(with box: AnyObject?) -> PlaceWord {
    let reference = unsafe box.map { unsafe Unmanaged.passRetained($0) }
    while true {
      let word = load()
      if unsafe exchange(word, with: word.replaced(by: word.isLeft ? nil : reference)) {
        if word.isLeft { unsafe reference?.release() }
        return word
      }
    }
  }

  /// Announces that the caller waits, and returns the construction to wait for; `nil` without a
  /// construction under way. The mutex of the wait-for graph is held.
  ///
  /// - Parameter type: the class of all constructions.
  func joinAssumingWaitsLockHeld<Construction: AnyObject>(
    _ type: Construction.Type
  ) -> Construction? {
    while true {
      let word = load()
      if !word.isBuilding { return nil }
      if word.isContended || exchange(word, with: word.contended) {
        // SAFETY: invariant 3.
        return unsafe word.content(as: type)?.takeUnretainedValue()
      }
    }
  }

  /// Takes the building state away from a lost thread: the process was forked while the thread was
  /// building, and the thread does not exist here. The mutex of the wait-for graph is held.
  ///
  /// The construction's reference stays with the lost thread.
  func abandonAssumingWaitsLockHeld() { _ = exchange(with: nil) }
}

/// The word of a place.
@usableFromInline
struct PlaceWord: Equatable {
  @usableFromInline let bits: UInt

  static var empty: PlaceWord { PlaceWord(bits: 0) }
  static var sealed: PlaceWord { PlaceWord(bits: CORINTH_CELL_SEALED) }

  init(bits: UInt) {
    self.bits = bits
  }

  /// - Parameter construction: the construction, at +0.
  init(builtBy construction: Unmanaged<some AnyObject>) {
    bits = unsafe UInt(bitPattern: construction.toOpaque()) | CORINTH_CELL_BUILDING
  }

  /// - Parameters:
  ///   - content: a box, or the instance. The place takes over a reference.
  ///   - isInstance: whether the content is the instance.
  init(_ content: Unmanaged<some AnyObject>, isInstance: Bool) {
    bits = unsafe UInt(bitPattern: content.toOpaque()) | (isInstance ? CORINTH_CELL_DIRECT : 0)
  }

  /// Whether a word can hold an object by address. An object that the optimizer has put into the
  /// program's data has other low bits.
  @inline(__always)
  static func canHold(_ address: UInt) -> Bool { address & CORINTH_CELL_FLAGS == 0 }

  @inlinable var isEmpty: Bool { bits == 0 }
  /// Whether the word leads to an instance that resolves may have.
  @inline(__always)
  var isBuilt: Bool { bits & CORINTH_CELL_STATES == 0 && bits != 0 }
  var isBuilding: Bool { bits & CORINTH_CELL_BUILDING != 0 }
  /// Whether a resolve or closing has joined the construction.
  var isContended: Bool { isBuilding && bits & CORINTH_CELL_CONTENDED != 0 }
  /// Whether the cell gets no instance, and its owner is the builder's to let go of.
  var isLeft: Bool { bits & CORINTH_CELL_LEFT != 0 }
  /// Whether the word keeps its content from resolves, or never gets any.
  var isSealed: Bool { bits & CORINTH_CELL_SEALED != 0 }
  /// Whether the content is the instance itself, without a box. Not for a word that is building.
  @inline(__always)
  var holdsInstance: Bool { bits & CORINTH_CELL_DIRECT != 0 }

  /// The word, with a reference to the content.
  var retained: PlaceWord {
    unsafe _ = content(as: AnyObject.self)?.retain()
    return self
  }

  var contended: PlaceWord { PlaceWord(bits: bits | CORINTH_CELL_CONTENDED) }

  /// The word after the end of its construction, or with a box of its instance: sealed as before.
  ///
  /// - Parameter box: the place takes over the reference; `nil` for no instance.
  func replaced(by box: Unmanaged<AnyObject>?) -> PlaceWord {
    let address = unsafe box.map { unsafe UInt(bitPattern: $0.toOpaque()) } ?? 0
    return PlaceWord(bits: address | bits & CORINTH_CELL_SEALED)
  }

  /// The address of the content, 0 without content.
  @inline(__always)
  var address: UInt { bits & ~CORINTH_CELL_FLAGS }

  /// The content: the construction, the box or the instance, if any.
  @inline(__always)
  func content<Content: AnyObject>(as: Content.Type) -> Unmanaged<Content>? {
    // SAFETY: an initializer above has stored the address; the flags tell the class.
    unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged.fromOpaque($0) }
  }

  /// The content of a built word; `nil` for other words. In fewer steps than a look at ``isBuilt``.
  @inline(__always)
  func builtContent<Content: AnyObject>(as type: Content.Type) -> Unmanaged<Content>? {
    unsafe bits & CORINTH_CELL_STATES == 0 ? content(as: type) : nil
  }
}
