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

/// A key whose values have a hash of the test's choice.
func key(_ value: Int, hash: Int? = nil) -> EntryKey {
  EntryKey(registration: onlyMark, container: onlyMark, values: values(value, hash: hash))
}

func values(
  _ value: Int, hash: Int? = nil, comparison: @escaping @Sendable (Int, Int) -> Bool = { $0 == $1 }
) -> ArgumentValues {
  ArgumentTuple(value, hash: hash ?? value.hashValue, comparison: comparison)
}
