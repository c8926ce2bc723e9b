// SPDX-License-Identifier: MIT

/// A value that a request scope was made with, and the next one: a list without a table.
///
/// The value lies behind an object whose class is the same for all values. The runtime would look the metadata of a generic
/// class up for each scope, since functions of parameter packs are not specialised.
@usableFromInline
@safe
// SAFETY: constant, and the value is Sendable.
package struct ScopeInput: @unchecked Sendable {
  @usableFromInline let storage: Storage

  @usableFromInline
  typealias Storage = ScopeInputStorage

  @inlinable
  init<Value: Sendable>(_ value: Value, next: ScopeInput?) {
    storage = Storage.make(value, type: Value.self, next: next?.storage)
  }

  fileprivate init(_ storage: Storage) {
    self.storage = storage
  }

  /// The type that the value was given as.
  var type: any Any.Type { storage.valueType }
  /// The input that was given before this one.
  var next: ScopeInput? {
    unsafe storage.unretainedNext.map { unsafe ScopeInput($0.takeUnretainedValue()) }
  }

  /// The inputs of a scope as a list, the last one first; `nil` for none.
  @inlinable
  static func list<each Input: Sendable>(_ inputs: repeat each Input) -> ScopeInput? {
    var list: ScopeInput?
    for input in repeat each inputs { list = ScopeInput(input, next: list) }
    return list
  }

  // MARK: - Search

  /// The last one that was given as a type, at +0: alive as long as this one.
  func unretainedLast(of type: any Any.Type) -> Unmanaged<Storage>? {
    // SAFETY: the caller holds this one.
    unsafe Self.last(of: type, from: Unmanaged.passUnretained(storage))
  }

  fileprivate static func last(
    of type: any Any.Type, from first: Unmanaged<Storage>?
  ) -> Unmanaged<Storage>? {
    // At +0: counting references would be writes to memory that the threads of a scope share.
    // SAFETY: each input holds the next one, and the caller holds the first.
    var candidate = unsafe first
    while let input = unsafe candidate {
      if unsafe input._withUnsafeGuaranteedRef({ $0.valueType == type }) { return unsafe input }
      unsafe candidate = input._withUnsafeGuaranteedRef { unsafe $0.unretainedNext }
    }
    return nil
  }

  // MARK: - Values

  /// A value of the list: the last one of the type itself, or else of a conforming type, a subclass or the type that an
  /// optional wraps.
  func convertedValue<Value: Sendable>(of type: Value.Type) -> Value? {
    if let exact = unsafe unretainedLast(of: type) {
      return unsafe exact._withUnsafeGuaranteedRef { $0.loadValue(as: type) }
    }
    for input in sequence(first: self, next: \.next) where !isOptional(input.type) {
      func converted<Given>(from given: Given.Type) -> Value? {
        input.storage.loadValue(as: given) as? Value
      }
      if let value = converted(from: input.type) { return value }
    }
    return nil
  }
}

@usableFromInline
struct ScopeInputHeader {
  @usableFromInline let type: any Any.Type
  @usableFromInline let next: ScopeInputStorage?

  @inlinable
  init(type: any Any.Type, next: ScopeInputStorage?) {
    self.type = type
    self.next = next
  }
}

/// The object of a ``ScopeInput``: its value follows the header.
@usableFromInline
final class ScopeInputStorage: ManagedBuffer<ScopeInputHeader, ScopeInputStorage.Unit> {
  /// What the memory behind the header is counted in, and aligned to.
  @usableFromInline typealias Unit = UInt

  // SAFETY, of this file: `type` is that of the value, which is constant until the deinit, and lies at the first unit; or,
  // if its alignment is greater, an array of it does.

  @inlinable
  static func make<Value>(
    _ value: Value, type: Value.Type, next: ScopeInputStorage?
  ) -> ScopeInputStorage {
    guard isAligned(type) else { return make([value], as: type, next: next) }
    return make(value, as: type, next: next)
  }

  @inlinable
  static func make<Content>(
    _ content: Content, as type: any Any.Type, next: ScopeInputStorage?
  ) -> ScopeInputStorage {
    let unit = MemoryLayout<Unit>.size
    let made = create(minimumCapacity: (MemoryLayout<Content>.size + unit - 1) / unit) { _ in
      ScopeInputHeader(type: type, next: next)
    }
    let storage = unsafe unsafeDowncast(made, to: ScopeInputStorage.self)
    unsafe storage.pointer(to: Content.self).initialize(to: content)
    return storage
  }

  deinit {
    HeldLocks.assertNone(ScopeInputStorage.self)
    destroy(valueType)
  }

  private func destroy<Value>(_ type: Value.Type) {
    if Self.isAligned(type) {
      unsafe pointer(to: Value.self).deinitialize(count: 1)
    } else {
      unsafe pointer(to: [Value].self).deinitialize(count: 1)
    }
  }

  /// The value, which was given as this type.
  @inline(__always)
  func loadValue<Value>(as type: Value.Type) -> Value {
    unsafe Self.isAligned(type)
      ? pointer(to: Value.self).pointee : pointer(to: [Value].self).pointee[0]
  }

  @usableFromInline
  static func isAligned<Value>(_ type: Value.Type) -> Bool {
    MemoryLayout<Value>.alignment <= MemoryLayout<Unit>.alignment
  }

  @inlinable
  func pointer<Content>(to type: Content.Type) -> UnsafeMutablePointer<Content> {
    unsafe withUnsafeMutablePointerToElements {
      unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: type)
    }
  }

  /// Whether a value was given as the same type before this one.
  var isRepeated: Bool {
    // SAFETY: the caller holds this one, which holds the next.
    unsafe ScopeInput.last(of: valueType, from: unretainedNext) != nil
  }

  // Both without `header`, each access of which the runtime would check for exclusivity.

  @inline(__always)
  fileprivate var valueType: any Any.Type {
    unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.type }
  }

  /// The next one at +0: alive as long as this one.
  @inline(__always)
  fileprivate var unretainedNext: Unmanaged<ScopeInputStorage>? {
    unsafe withUnsafeMutablePointerToHeader { header in
      unsafe header.pointee.next.map { unsafe Unmanaged.passUnretained($0) }
    }
  }
}
