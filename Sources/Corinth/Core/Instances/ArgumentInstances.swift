// SPDX-License-Identifier: MIT

/// The instances of a registration whose factory takes arguments: one for every value.
///
/// Grows with the number of values that are resolved, and lives as long as the registration.
final class ArgumentInstances: Sendable {
  private let table = InstanceTable()
  private let hashing: ArgumentHashing

  init(_ hashing: ArgumentHashing) {
    self.hashing = hashing
  }

  /// The box served to every resolve, for arguments at an address; see ``InstanceState/servedBox``.
  ///
  /// Lock-free, and counts no reference. Runs `==` of the values inside the caller's section, as
  /// factories of transients may run.
  func servedBox(forArgumentsAt arguments: UnsafeRawPointer) -> Unmanaged<AnyInstanceBox>? {
    let hash = unsafe EntryKey.hash(self, self, values: hashing.hash(arguments))
    let entry = unsafe table.find(hash: hash) { entry in
      unsafe entry.key.hash == hash && entry.key.hasValues(at: arguments, by: hashing)
    }
    return unsafe entry?._withUnsafeGuaranteedRef { unsafe $0.servedBox }
  }

  /// The state of the instance for these arguments, made on first use.
  ///
  /// Lock-free. Runs the values' `==`.
  func state(for arguments: AnyArguments) -> InstanceState {
    precondition(
      arguments.hashing != nil, "ArgumentInstances.state: the arguments must be Hashable")
    let key = EntryKey(registration: self, container: self, arguments: arguments)
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
