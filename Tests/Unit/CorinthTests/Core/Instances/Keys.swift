// SPDX-License-Identifier: MIT

@testable import Corinth

/// An object by which keys are told apart.
final class Mark: Sendable {}

/// Tables and stores cannot be copied into the closures that threads run.
final class Shared: Sendable {
  let table = InstanceTable()
  let store = InstanceStore()
}

/// The registration and container of keys whose values alone differ.
let onlyMark = Mark()

extension InstanceTable {
  /// The entry of a key, made on first use; `nil` when there is none and the table is sealed.
  func entry(of key: borrowing EntryKey) -> StoredInstance? {
    var found = find(key)
    if let found, key.hasValues(of: found.key) { return found }
    while let (entry, isNew) = findOrMake(key, payload: nil, below: found) {
      if isNew || key.hasValues(of: entry.key) { return entry }
      found = entry
    }
    return nil
  }
}

/// A key whose values have a hash of the test's choice.
func key(_ value: Int, hash: Int? = nil) -> EntryKey {
  EntryKey(registration: onlyMark, container: onlyMark, arguments: values(value, hash: hash))
}

func values(
  _ value: Int, hash: Int? = nil, comparison: @escaping @Sendable (Int, Int) -> Bool = { $0 == $1 }
) -> AnyArguments {
  arguments(Compared(value: value, comparison: comparison), hash: hash)
}

/// Keys of one table have values of one type.
func arguments<Value: Hashable>(_ value: Value, hash: Int?) -> AnyArguments {
  let key = ArgumentsBox(value)
  guard let hashing = ArgumentHashing(of: [Value.self]) else { fatalError("it is Hashable") }
  key.identify(by: hashing, hash: hash.map { UInt64(bitPattern: Int64($0)) })
  return key
}

/// A number that the test compares with others.
private struct Compared: Hashable {
  let value: Int
  let comparison: @Sendable (Int, Int) -> Bool

  static func == (left: Self, right: Self) -> Bool { left.comparison(left.value, right.value) }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
