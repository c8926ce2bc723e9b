// SPDX-License-Identifier: MIT

internal import CCorinth

/// A name as stored in a slot's key: two words of text or digits; or the value object and 0.
///
/// Equal bits and hashes mean equal names. The lowest bit of the hash tells texts from values.
@usableFromInline
@frozen
struct NameBits {
  @usableFromInline let hash: UInt64
  @usableFromInline let first: UInt64
  @usableFromInline let second: UInt64

  @inlinable @inline(__always)
  init(_ name: borrowing Name) {
    hash = name.hash
    switch name.content {
    case .short(let first, let second): (self.first, self.second) = (first, second)
    case .long(let text): (first, second) = NameContent.words(of: text)
    case .value(let value, let zero):
      first = unsafe UInt64(UInt(bitPattern: Unmanaged.passUnretained(value).toOpaque()))
      second = zero
    }
  }

  /// - Parameter value: the value of the name, whose hash is given.
  @inlinable @inline(__always)
  init(hash: UInt64, value: borrowing NameValue) {
    self.hash = hash
    first = unsafe UInt64(UInt(bitPattern: Unmanaged.passUnretained(copy value).toOpaque()))
    second = 0
  }

  init(_ key: corinth_key) {
    hash = key.name_hash
    (first, second) = key.name_bits
  }

  var isAbsent: Bool { hash == 0 }

  private var isShort: Bool { NameContent.isShort((first, second)) }

  /// Whether the bits lead to memory.
  private var isCounted: Bool { !isAbsent && !isShort }

  /// The name, retained; only for bits of a living name or slot.
  var name: Name? {
    if isAbsent { return nil }
    if isShort { return Name(hash: hash, content: .short(first, second)) }
    return unsafe Name(
      hash: hash, content: isObject ? .value(object.takeUnretainedValue()) : .long(text))
  }

  /// Keeps the name alive until ``release()``.
  @inline(__always)
  func retain() {
    if isCounted { retainMemory() }
  }

  private func retainMemory() {
    if isObject {
      unsafe _ = object.retain()
    } else {
      // A copy without a deinitialization is a retain.
      unsafe withUnsafeTemporaryAllocation(of: String.self, capacity: 1) {
        unsafe $0.initializeElement(at: 0, to: text)
      }
    }
  }

  /// Gives up the memory that ``retain()`` keeps alive.
  func release() {
    if !isCounted { return }
    if isObject {
      unsafe object.release()
    } else {
      // SAFETY: the bits own the copy made by `retain`; the deinitialization gives the copy up.
      var words = (first, second)
      unsafe withUnsafeMutablePointer(to: &words) { words in
        _ = unsafe UnsafeMutableRawPointer(words).bindMemory(to: String.self, capacity: 1)
          .deinitialize(count: 1)
      }
    }
  }

  /// Whether names of equal hashes and different bits are equal all the same.
  static let areEqual: corinth_names_equal = { left, right in
    guard let left = unsafe left, let right = unsafe right else { return false }
    return unsafe NameBits(left.pointee).name == NameBits(right.pointee).name
  }

  // The second word of a string is never 0: it holds the length, or the address of the bytes.
  private var isObject: Bool { hash & 1 == 0 && second == 0 }

  // SAFETY, of both below: the caller has asked whether the name is a text or an object, and the
  // name or slot of the bits keeps the memory alive.

  private var text: String {
    unsafe unsafeBitCast((first, second), to: String.self)
  }

  private var object: Unmanaged<NameValue> {
    unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: UInt(first)).unsafelyUnwrapped)
  }
}
