// SPDX-License-Identifier: MIT

internal import Synchronization

/// Whether a thread notes the resolves of a context, and sees all of them.
struct ContextNoting: ~Copyable, Sendable {
  private let state = Atomic<UInt8>(0)

  private static var begun: UInt8 { 1 }
  private static var handedOver: UInt8 { 2 }

  @inline(__always)
  var isOn: Bool { state.load(ordering: .relaxed) & Self.begun != 0 }

  /// Called before the factory runs.
  @inline(__always)
  func begin(isOn: Bool) { state.store(isOn ? Self.begun : 0, ordering: .relaxed) }

  /// Whether no other thread has asked the resolver: the hits of others are not seen.
  @inline(__always)
  var seesAll: Bool { state.load(ordering: .relaxed) == Self.begun }

  /// Whether another thread has asked the resolver.
  @inline(__always)
  var isHandedOver: Bool { state.load(ordering: .relaxed) & Self.handedOver != 0 }

  /// Notes that the resolver was asked by a thread that does not run the context, or indirectly. A
  /// factory that needs what another thread resolves waits for that thread.
  func noteHandOver() {
    if !isHandedOver { state.bitwiseOr(Self.handedOver, ordering: .relaxed) }
  }
}

extension ResolutionContext {
  /// Notes that the context's resolver was asked by a thread that runs a different context, if any.
  ///
  /// A resolution begun inside of the running context is not run, and asked by the same thread.
  @inline(__always)
  final func noteHandOver(toThreadRunning running: Unmanaged<ResolutionContext>?) {
    let address = unsafe running.map { unsafe UnsafeRawPointer($0.toOpaque()) }
    if unsafe noting.isOn || addressAround != address { noting.noteHandOver() }
  }

  /// Tells the contexts around, which are noted, of a hand-over. Called as the context ends.
  @inline(__always)
  final func passOnHandOver() {
    if noting.isHandedOver { tellOfHandOver() }
  }

  @inline(never)
  private final func tellOfHandOver() {
    enclosing?.noting.noteHandOver()
    requesting?.noting.noteHandOver()
    noting.begin(isOn: false)
  }
}
