// SPDX-License-Identifier: MIT

public import CCorinth

/// A slot of a container: a key, and the word with the registration or ready instance.
///
/// The slot lives and keeps its key as long as the table. Key and word together decide the class of
/// the object behind the word: see SlotWord+Records.swift for a container's slots.
@usableFromInline
@safe
// SAFETY: every holder keeps the table alive; the word is atomic, the rest of the slot constant.
@frozen
struct SlotReference: @unchecked Sendable, Hashable {
  @usableFromInline let pointer: UnsafePointer<corinth_slot>

  @inlinable @_transparent
  init(_ pointer: UnsafePointer<corinth_slot>) {
    unsafe self.pointer = pointer
  }

  @usableFromInline
  static func == (left: SlotReference, right: SlotReference) -> Bool {
    unsafe left.pointer == right.pointer
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    unsafe hasher.combine(pointer)
  }

  /// Only inside a section, or with the writer lock held.
  @inlinable @_transparent
  func load() -> SlotWord {
    unsafe SlotWord(bits: corinth_slot_load(pointer))
  }

  /// Publishes `word` and returns the replaced word, whose registration the caller then retires.
  func exchangeAssumingWriterLockHeld(_ word: SlotWord) -> SlotWord {
    unsafe SlotWord(bits: corinth_slot_exchange(mutable, word.bits))
  }

  /// Publishes `word` if the slot still holds `expected`.
  @discardableResult
  func replace(_ expected: SlotWord, with word: SlotWord) -> Bool {
    unsafe corinth_slot_compare_exchange(mutable, expected.bits, word.bits)
  }

  var key: RegistrationKey {
    let words = unsafe pointer.pointee.key
    return RegistrationKey(words)
  }

  @usableFromInline var name: Name? { key.name }

  /// The identity of the product's type.
  var product: UInt { unsafe corinth_product_type(pointer.pointee.key.product) }

  /// The slot inserted before this slot into the same table.
  var older: SlotReference? { unsafe pointer.pointee.next.map { unsafe SlotReference($0) } }

  /// Whether the slot's key has the type and no arguments.
  func isElement(ofType type: UInt) -> Bool {
    let key = unsafe pointer.pointee.key
    return corinth_product_type(key.product) == type && key.arguments == 0
  }

  private var mutable: UnsafeMutablePointer<corinth_slot> {
    // SAFETY: slots are allocated mutable; readers see constant slots.
    unsafe UnsafeMutablePointer(mutating: pointer)
  }
}

/// A slot without a container: a key, and never a registration.
///
/// A provider of a child container has a placeholder while the key is registered in an ancestor:
/// every call looks the key up, and the child needs no table of its own.
final class SlotPlaceholder: Sendable {
  // SAFETY: allocated by `init` and freed by `deinit`; in between the key owns the name's bits. The
  // word is never written to.
  let slot: SlotReference

  init(for key: RegistrationKey) {
    let words = KeyWords(key).words
    let pointer = UnsafeMutablePointer<corinth_slot>.allocate(capacity: 1)
    unsafe pointer.initialize(
      to: corinth_slot(word: CORINTH_WORD_ABSENT, key: words, next_colliding: nil, next: nil))
    slot = unsafe SlotReference(pointer)
    withExtendedLifetime(key) { NameBits(words).retain() }
  }

  deinit {
    unsafe NameBits(slot.pointer.pointee.key).release()
    unsafe slot.pointer.deallocate()
  }
}
