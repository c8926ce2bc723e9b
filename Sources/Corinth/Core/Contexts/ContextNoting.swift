// SPDX-License-Identifier: MIT

internal import Synchronization

/// Whether the calling thread notes what a context resolves, and sees all of it.
struct ContextNoting: ~Copyable, Sendable {
  private let state = Atomic<UInt8>(0)

  private static var begun: UInt8 { 1 }
  private static var handedOver: UInt8 { 2 }

  var isOn: Bool { state.load(ordering: .relaxed) != 0 }

  /// Nobody else refers to the context.
  @inline(__always)
  func begin() { state.store(Self.begun, ordering: .relaxed) }

  /// - Returns: whether the resolver was asked by another thread, whose hits are not seen.
  func end() -> Bool {
    defer { state.store(0, ordering: .relaxed) }
    return state.load(ordering: .relaxed) == Self.handedOver
  }

  /// Notes that the resolver was asked, and not by the thread that runs the context, or not directly. A factory that needs
  /// what another thread resolves waits for that thread.
  @inline(__always)
  func noteHandOver() {
    if isOn { state.store(Self.handedOver, ordering: .relaxed) }
  }
}
