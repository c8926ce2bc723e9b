// SPDX-License-Identifier: MIT

internal import CCorinth

/// A name as a slot's key stores it: the two words of its string, which holds a text or an
/// integer's digits, or its value object and 0.
///
/// Equal bits and hashes mean equal names. The lowest bit of the hash tells texts from values.
@usableFromInline
struct NameBits {
  @usableFromInline let hash: UInt64
  @usableFromInline let first: UInt64
  @usableFromInline let second: UInt64

  @inlinable @inline(__always)
  init(_ name: borrowing Name) {
    hash = name.hash
    if let value = name.value {
      first = unsafe UInt64(UInt(bitPattern: Unmanaged.passUnretained(value).toOpaque()))
      second = 0
    } else {
      // SAFETY: a String is two words without padding; they are compared, and turned back into a
      // String only while the name or the slot keeps its storage alive.
      (first, second) = unsafe unsafeBitCast(name.text, to: (UInt64, UInt64).self)
    }
  }

  init(_ key: corinth_key) {
    hash = key.name_hash
    (first, second) = key.name_bits
  }

  var isAbsent: Bool { hash == 0 }

  /// The name, retained; only for bits of a name or a slot that is alive.
  var name: Name? {
    if isAbsent { return nil }
    if isObject {
      return unsafe Name(hash: hash, text: "", value: object.takeUnretainedValue())
    }
    return Name(hash: hash, text: text, value: nil)
  }

  /// Keeps the name alive until ``release()``.
  func retain() {
    if isAbsent { return }
    if isObject {
      unsafe _ = object.retain()
    } else {
      // A copy that is never deinitialised is a retain.
      unsafe withUnsafeTemporaryAllocation(of: String.self, capacity: 1) {
        unsafe $0.initializeElement(at: 0, to: text)
      }
    }
  }

  /// Ends what ``retain()`` began.
  func release() {
    if isAbsent { return }
    if isObject {
      unsafe object.release()
    } else {
      // SAFETY: the bits own the copy that `retain` made; moving out of them gives it up.
      var words = (first, second)
      unsafe withUnsafeMutablePointer(to: &words) { words in
        _ = unsafe UnsafeMutableRawPointer(words).bindMemory(to: String.self, capacity: 1)
          .deinitialize(count: 1)
      }
    }
  }

  /// Whether names of the same hash whose bits differ are equal all the same.
  static let areEqual: corinth_names_equal = { left, right in
    guard let left = unsafe left, let right = unsafe right else { return false }
    return unsafe NameBits(left.pointee).name == NameBits(right.pointee).name
  }

  // The second word of a string is never 0: it holds the length, or the address of the bytes.
  private var isObject: Bool { hash & 1 == 0 && second == 0 }

  // SAFETY, of both below: the caller has asked which of the two it is, and the name or the slot that
  // the bits stem from keeps it alive.

  private var text: String {
    unsafe unsafeBitCast((first, second), to: String.self)
  }

  private var object: Unmanaged<NameValue> {
    unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: UInt(first)).unsafelyUnwrapped)
  }
}
