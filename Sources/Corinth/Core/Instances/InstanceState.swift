// SPDX-License-Identifier: MIT

internal import Synchronization

/// An object as the place of one instance, of a registration or for some arguments.
///
///     empty --seal--> sealed     the container has closed
///     built --exchange--> sealed for one value of the arguments: the instance is dead, or released
///
/// A state is not sealed beside a construction, and a sealed state has no instance. The boxes are
/// all of strong instances, or all of weak ones.
@usableFromInline
// SAFETY: the only property is atomic.
class InstanceState: AtomicPlace, @unchecked Sendable {
  private final let word: Atomic<UInt>

  @usableFromInline
  init() { word = Atomic(0) }

  /// A state with an instance from the start.
  init(_ box: AnyInstanceBox) {
    word = unsafe Atomic(PlaceWord(Unmanaged.passRetained(box), isInstance: false).bits)
  }

  /// How the instance under construction was released, if so: no further construction begins.
  var release: ReleaseMark? { nil }

  @inline(__always)
  final func load() -> PlaceWord { PlaceWord(bits: word.load(ordering: .sequentiallyConsistent)) }

  @inline(__always)
  final func exchange(_ expected: PlaceWord, with word: PlaceWord) -> Bool {
    self.word.compareExchange(
      expected: expected.bits, desired: word.bits, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// Prevents new constructions, if there is neither an instance nor a construction under way.
  ///
  /// - Returns: whether no construction is under way: an instance exists, or never will.
  final func seal() -> Bool {
    while true {
      let word = load()
      if !word.isEmpty || exchange(word, with: .sealed) { return !word.isBuilding }
    }
  }

  deinit {
    // The registration is unreachable: no construction is under way, no reader inside the box.
    let word = load()
    if !word.isBuilding { unsafe word.content(as: AnyObject.self)?.release() }
  }
}

/// For states of strong instances.
extension InstanceState {
  /// The box of the instance; `nil` for none.
  final var builtBox: AnyInstanceBox? {
    // The section keeps the box alive until retained.
    let section = Section.enter()
    defer { section.leave() }
    return load().box
  }

  /// The box of an instance open to every resolve, at +0; `nil` for none, or if only the exact
  /// clock can tell. Needs a section.
  @inline(__always)
  final var servedBox: Unmanaged<AnyInstanceBox>? {
    guard let box = unsafe load().builtContent(as: AnyInstanceBox.self) else { return nil }
    // SAFETY: the section keeps the box alive.
    return unsafe box._withUnsafeGuaranteedRef { $0.isSurelyFresh } ? box : nil
  }

  /// Lets the caller account for the instance, if any: see ``AnyInstanceBox/claimEnd()``.
  ///
  /// A caller marks the registration or the scope as dropped, then loads the word; a construction
  /// stores its instance, then reads the mark. All steps are sequentially consistent: the caller or
  /// the construction finds the instance dropped.
  final func claimEnd() -> Bool { builtBox?.claimEnd() ?? false }

  /// Publishes a newer box in place of a box kept alive by the caller, and retires the box.
  ///
  /// - Returns: `false` if the state has changed since the caller read it.
  final func replace(_ word: PlaceWord, with box: AnyInstanceBox) -> Bool {
    let reference = unsafe Unmanaged<AnyObject>.passRetained(box)
    guard unsafe exchange(word, with: word.replaced(by: reference)) else {
      unsafe reference.release()
      return false
    }
    // SAFETY: the exchange took the former box out, and with it the state's reference.
    if let former = unsafe word.content(as: AnyObject.self) { unsafe Reclamation.retire(former) }
    return true
  }
}
