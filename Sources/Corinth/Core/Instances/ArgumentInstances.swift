// SPDX-License-Identifier: MIT

/// The instances of one registration whose factory takes arguments: one for each value of these.
///
/// Grows with the number of values that are resolved, and lives as long as the registration.
final class ArgumentInstances: Sendable {
  private let table = InstanceTable()

  /// The state of the instance for these arguments, made on first use.
  ///
  /// Lock-free. Runs the values' `==`.
  func state(for values: ArgumentValues) -> InstanceState {
    let key = EntryKey(registration: self, container: self, values: values)
    if let entry = table.entry(of: key) { return entry }
    let sealed = InstanceState()
    _ = sealed.seal()
    return sealed
  }

  /// Keeps instances from being built for further values.
  ///
  /// - Returns: the states of all instances, which are the caller's to seal.
  func seal() -> [InstanceState] {
    table.seal()
    return all
  }

  /// The states of all instances.
  var all: [InstanceState] {
    var states: [InstanceState] = []
    table.forEachEntry { states.append($0) }
    return states
  }
}
