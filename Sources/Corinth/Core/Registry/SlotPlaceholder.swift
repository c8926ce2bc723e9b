// SPDX-License-Identifier: MIT

internal import CCorinth

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
