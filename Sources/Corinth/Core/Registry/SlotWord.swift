// SPDX-License-Identifier: MIT

public import CCorinth

/// What a slot holds: nothing, a registration, or a box with the ready instance.
///
/// Whatever it points to stays alive while the section lasts in which it was loaded, or while the
/// writer lock is held.
@usableFromInline
struct SlotWord {
  @usableFromInline let bits: UInt

  @inlinable @inline(__always)
  init(bits: UInt) {
    self.bits = bits
  }

  @inlinable @inline(__always)
  var isReady: Bool { bits & CORINTH_WORD_TAG_MASK == CORINTH_WORD_READY }

  @inlinable @inline(__always)
  var isTransient: Bool { bits & CORINTH_WORD_TAG_MASK == CORINTH_WORD_TRANSIENT }

  @inlinable @inline(__always)
  var isRegistration: Bool { bits & CORINTH_WORD_TAG_MASK == CORINTH_WORD_REGISTRATION }

  @inlinable @inline(__always)
  var isAbsent: Bool { bits == CORINTH_WORD_ABSENT }

  /// The object behind the word, at +0.
  @inlinable @inline(__always)
  func object<Object: AnyObject>(tagged tag: UInt) -> Unmanaged<Object> {
    // SAFETY: only called for words that carry `tag`, hence not for the absent one; the slot's key
    // decides the class (see `SlotReference`).
    unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: bits &- tag).unsafelyUnwrapped)
  }

  /// The box of a ready word.
  @inlinable @inline(__always)
  func box<Product>(of product: Product.Type) -> Unmanaged<InstanceBox<Product>> {
    unsafe object(tagged: CORINTH_WORD_READY)
  }

  /// The record of a transient word without arguments.
  @inlinable @inline(__always)
  func transient<Product>(of product: Product.Type) -> Unmanaged<FactoryRecord<Product>> {
    unsafe object(tagged: CORINTH_WORD_TRANSIENT)
  }

  /// The record of a deferred word.
  @inlinable @inline(__always)
  var record: Unmanaged<RegistrationRecord> {
    unsafe object(tagged: CORINTH_WORD_REGISTRATION)
  }

  /// The box of a ready word, retained; `nil` for other words.
  var readyBox: AnyInstanceBox? {
    guard isReady else { return nil }
    let box: Unmanaged<AnyInstanceBox> = unsafe object(tagged: CORINTH_WORD_READY)
    return unsafe box.takeUnretainedValue()
  }

  /// The record of a transient word with arguments.
  @inlinable @inline(__always)
  func transient<Product, Arguments>(
    of product: Product.Type, arguments: Arguments.Type
  ) -> Unmanaged<ArgumentFactoryRecord<Product, Arguments>> {
    unsafe object(tagged: CORINTH_WORD_TRANSIENT)
  }

  /// The registration behind any word but the absent one.
  var registration: Unmanaged<RegistrationRecord>? {
    switch bits & CORINTH_WORD_TAG_MASK {
    case CORINTH_WORD_READY:
      let box: Unmanaged<AnyInstanceBox> = unsafe object(tagged: CORINTH_WORD_READY)
      return unsafe box._withUnsafeGuaranteedRef { unsafe $0.registration }
    case CORINTH_WORD_TRANSIENT:
      return unsafe object(tagged: CORINTH_WORD_TRANSIENT)
    case CORINTH_WORD_REGISTRATION:
      return unsafe object(tagged: CORINTH_WORD_REGISTRATION)
    default:
      return nil
    }
  }

  static var absent: SlotWord { SlotWord(bits: CORINTH_WORD_ABSENT) }

  /// The word under which a registration is published before it has an instance.
  init(_ record: RegistrationRecord) {
    let tag = record.isBareFactory ? CORINTH_WORD_TRANSIENT : CORINTH_WORD_REGISTRATION
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(record).toOpaque())
    self.init(bits: address | tag)
  }

  /// The word under which a ready instance is published.
  init(_ box: AnyInstanceBox) {
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(box).toOpaque())
    self.init(bits: address | CORINTH_WORD_READY)
  }
}
