// SPDX-License-Identifier: MIT

internal import Synchronization

/// The values passed to a request scope, packed into memory reused with the scope's core.
///
/// An entry is two words, the value's declared type and the number of all words, then the value,
/// or an array of it if aligned to more than words. The types of values are parameters of functions
/// only: of generic types, the runtime would look up the metadata for every scope.
// SAFETY, of this file: changed before a second thread knows of the scope, and at its end.
@safe
struct ScopeInputs: ~Copyable, @unchecked Sendable {
  private typealias AnyType = any Any.Type

  /// The address of three numbers, words in use, words in all, and not 0 if an entry must be
  /// destroyed, and the entries; 0 if never used.
  // A plain variable would be checked for exclusive accesses.
  private let address = Atomic<UInt>(0)

  private static var header: Int { 3 }
  /// For two inputs of some words.
  private static var firstCapacity: Int { 24 }

  private var memory: UnsafeMutablePointer<UInt>? {
    get { unsafe UnsafeMutablePointer(bitPattern: address.load(ordering: .relaxed)) }
    nonmutating set { address.store(UInt(bitPattern: newValue), ordering: .relaxed) }
  }

  deinit {
    removeAll()
    unsafe memory?.deallocate()
  }

  private var count: Int { unsafe memory.map { unsafe Int($0[0]) } ?? Self.header }

  var isEmpty: Bool { count == Self.header }

  // MARK: - Changes

  @inline(__always)
  func add<Value>(_ value: consuming Value) {
    if Self.isAligned(Value.self) {
      unsafe place(Value.self, MemoryLayout<Value>.size, isPlain: _isPOD(Value.self))
        .assumingMemoryBound(to: Value.self).initialize(to: value)
    } else {
      unsafe place(Value.self, MemoryLayout<[Value]>.size, isPlain: false)
        .assumingMemoryBound(to: [Value].self).initialize(to: [value])
    }
  }

  /// Adds an entry.
  ///
  /// - Parameter isPlain: whether the value need not be destroyed.
  /// - Returns: the place of its value.
  @inline(__always)
  private func place(
    _ type: any Any.Type, _ size: Int, isPlain: Bool
  ) -> UnsafeMutableRawPointer {
    let words = 2 &+ (UInt(bitPattern: size) &+ 7) / 8
    let found = unsafe memory.flatMap { unsafe $0[0] &+ words <= $0[1] ? $0 : nil }
    let memory = unsafe found ?? grow(by: Int(bitPattern: words))
    let entry = unsafe memory + Int(bitPattern: memory[0])
    unsafe memory[0] &+= words
    if !isPlain { unsafe memory[2] = 1 }
    unsafe entry[0] = unsafeBitCast(type, to: UInt.self)
    unsafe entry[1] = words
    return unsafe UnsafeMutableRawPointer(entry + 2)
  }

  @inline(never)
  private func grow(by words: Int) -> UnsafeMutablePointer<UInt> {
    let capacity = max(Self.firstCapacity, 2 * (count + words))
    let grown = UnsafeMutablePointer<UInt>.allocate(capacity: capacity)
    unsafe grown[0] = UInt(Self.header)
    unsafe grown[1] = UInt(capacity)
    unsafe grown[2] = 0
    let former = unsafe memory
    unsafe memory = grown
    unsafe forEach(in: former) { type, value in
      unsafe add(type, at: value)
      unsafe Self.destroy(type, at: value)
    }
    unsafe former?.deallocate()
    return unsafe grown
  }

  /// Deinits of values run in this call.
  @inline(__always)
  func removeAll() {
    guard let memory = unsafe memory else { return }
    if unsafe memory[2] != 0 { destroyAll() }
    unsafe memory[0] = UInt(Self.header)
  }

  @inline(never)
  private func destroyAll() {
    unsafe forEach(in: memory) { type, value in unsafe Self.destroy(type, at: value) }
    unsafe memory?[2] = 0
  }

  /// Adds copies of the values in `others`.
  func add(allOf others: borrowing ScopeInputs) {
    for entry in others.entries { unsafe add(entry.type, at: entry.value) }
  }

  private func add<Value>(_ type: Value.Type, at address: UnsafeRawPointer) {
    unsafe add(Self.value(of: type, at: address))
  }

  // MARK: - Search

  /// Calls `body` with the declared type and the place of every value, in the order of passing.
  @inline(__always)
  private func forEach(
    in memory: UnsafeMutablePointer<UInt>?, _ body: (any Any.Type, UnsafeMutableRawPointer) -> Void
  ) {
    guard let memory = unsafe memory else { return }
    let end = unsafe memory + Int(bitPattern: memory[0])
    var entry = unsafe memory + Self.header
    while unsafe entry < end {
      unsafe body(
        unsafeBitCast(entry[0], to: AnyType.self), UnsafeMutableRawPointer(entry + 2))
      unsafe entry += Int(bitPattern: entry[1])
    }
  }

  /// The place of the value passed as a type, alive as long as the scope, and whether several were.
  @inline(__always)
  func place(of type: any Any.Type) -> (value: UnsafeRawPointer, isRepeated: Bool)? {
    var found: UnsafeRawPointer?
    var isRepeated = false
    unsafe forEach(in: memory) { candidate, value in
      if candidate != type { return }
      isRepeated = unsafe found != nil
      unsafe found = UnsafeRawPointer(value)
    }
    return unsafe found.map { unsafe ($0, isRepeated) }
  }

  /// The types of the values, in the order of passing.
  var types: [any Any.Type] { entries.map(\.type) }

  @safe
  private struct Entry {
    let type: any Any.Type
    // SAFETY: alive as long as the scope.
    let value: UnsafeRawPointer
  }

  private var entries: [Entry] {
    var entries: [Entry] = []
    unsafe forEach(in: memory) { unsafe entries.append(Entry(type: $0, value: $1)) }
    return entries
  }

  // MARK: - Values

  /// The last value of the type, or else of a conforming type, a subclass or the unwrapped type.
  func convertedValue<Value: Sendable>(of type: Value.Type) -> Value? {
    if let exact = unsafe place(of: type) { return unsafe Self.value(of: type, at: exact.value) }
    for entry in entries.reversed() where !isOptional(entry.type) {
      func converted<Given>(from given: Given.Type) -> Value? {
        unsafe Self.value(of: given, at: entry.value) as? Value
      }
      if let value = converted(from: entry.type) { return value }
    }
    return nil
  }

  // SAFETY, of these: the type is the declared type of the value at the address.

  @inline(__always)
  static func value<Value>(of type: Value.Type, at address: UnsafeRawPointer) -> Value {
    unsafe isAligned(type)
      ? address.assumingMemoryBound(to: Value.self).pointee
      : address.assumingMemoryBound(to: [Value].self).pointee[0]
  }

  private static func destroy<Value>(_ type: Value.Type, at address: UnsafeMutableRawPointer) {
    if isAligned(type) {
      unsafe address.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    } else {
      unsafe address.assumingMemoryBound(to: [Value].self).deinitialize(count: 1)
    }
  }

  @inline(__always)
  static func isAligned<Value>(_ type: Value.Type) -> Bool {
    MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment
  }
}
