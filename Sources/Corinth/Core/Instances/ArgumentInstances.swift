// SPDX-License-Identifier: MIT

internal import Synchronization

/// The instances of one registration whose factory takes arguments: one for each value of these.
///
/// A table of its own, whose keys are the values: a lookup is lock-free, and runs the values' `==` with no
/// lock held. It grows with the number of values asked for, and goes with the registration.
final class ArgumentInstances: Sendable {
  private let table = SlotTable()
  private let isSealed = Atomic<Bool>(false)

  /// The state of the instance for these arguments, made on first use.
  func state(for values: ArgumentValues) -> InstanceState {
    let key = RegistrationKey(product: InstanceState.self, name: Name(values))
    let slot = table.find(key) ?? table.slotMade(for: key)
    let state = slot.instanceState()
    // Pairs with the store in `seal`: a state that it does not find is sealed here.
    if isSealed.load(ordering: .sequentiallyConsistent) { _ = state.seal() }
    return state
  }

  /// Keeps instances from being built for further values.
  ///
  /// - Returns: the states of all instances, which are the caller's to seal.
  func seal() -> [InstanceState] {
    isSealed.store(true, ordering: .sequentiallyConsistent)
    return all
  }

  /// The states of all instances.
  var all: [InstanceState] {
    var states: [InstanceState] = []
    table.forEachSlot { states.append($0.instanceState()) }
    return states
  }

  deinit {
    table.forEachSlot { $0.releaseInstanceState() }
  }
}

extension SlotReference {
  /// The state that the slot's word points to, made on first use. Only for slots of an ``ArgumentInstances``.
  fileprivate func instanceState() -> InstanceState {
    let found = load()
    if !found.isAbsent { return unsafe found.instanceState.takeUnretainedValue() }
    let made = InstanceState()
    let reference = unsafe Unmanaged.passRetained(made)
    let word = unsafe SlotWord(bits: UInt(bitPattern: reference.toOpaque()))
    if replace(.absent, with: word) { return made }
    unsafe reference.release()
    // Pairs with the exchange of the one who came first; the word never changes again.
    return unsafe load().instanceState.takeUnretainedValue()
  }

  fileprivate func releaseInstanceState() {
    let found = load()
    if !found.isAbsent { unsafe found.instanceState.release() }
  }
}

extension SlotWord {
  // SAFETY: only for words that hold the address of a state.
  fileprivate var instanceState: Unmanaged<InstanceState> {
    unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: bits).unsafelyUnwrapped)
  }
}
