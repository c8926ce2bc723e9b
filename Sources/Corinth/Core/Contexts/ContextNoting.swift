// SPDX-License-Identifier: MIT

internal import Synchronization

/// Whether a thread notes the resolves of a context, and sees all of them.
struct ContextNoting: ~Copyable, Sendable {
  private let state = Atomic<UInt8>(0)

  private static var begun: UInt8 { 1 }
  private static var handedOver: UInt8 { 2 }

  @inline(__always)
  var isOn: Bool { state.load(ordering: .relaxed) != 0 }

  /// Called before the factory runs.
  @inline(__always)
  func begin(isOn: Bool) { state.store(isOn ? Self.begun : 0, ordering: .relaxed) }

  /// Whether no other thread has asked the resolver: the hits of others are not seen.
  @inline(__always)
  var seesAll: Bool { state.load(ordering: .relaxed) == Self.begun }

  /// Notes that the resolver was asked by a thread that does not run the context, or indirectly. A
  /// factory that needs what another thread resolves waits for that thread.
  func noteHandOver() {
    if isOn { state.store(Self.handedOver, ordering: .relaxed) }
  }
}
