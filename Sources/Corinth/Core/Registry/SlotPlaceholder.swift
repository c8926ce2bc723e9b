// SPDX-License-Identifier: MIT

internal import CCorinth

/// A slot of no container: it holds a key, and never a registration.
///
/// A provider of a child container holds one while its key is registered in an ancestor: each call looks the key
/// up, and the child needs no table of its own.
final class SlotPlaceholder: Sendable {
  // SAFETY: allocated by `init` and freed by `deinit`. Its key owns the name's bits from the one to the other; its
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
