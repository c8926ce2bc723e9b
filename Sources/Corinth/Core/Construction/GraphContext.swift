// SPDX-License-Identifier: MIT

/// A context whose resolution keeps graph instances of one container in cells. Note 24.
@safe
// SAFETY: see the superclass; `keptContainer` is constant while anybody else refers to the context,
// and retained or not like the enclosing contexts. The container of a spare may be gone.
class GraphContext: ResolutionContext, @unchecked Sendable {
  override init() { super.init() }

  /// A resolution of a container, with references.
  convenience init(in container: ContainerCore) {
    self.init()
    begin(in: container, requestedBy: nil)
    takeReferences()
  }

  /// The container of the context's resolver.
  // SAFETY: see above.
  final var container: ContainerCore {
    unsafe keptContainer.unsafelyUnwrapped.takeUnretainedValue()
  }

  /// The context's resolver, for the duration of a call.
  @inline(__always)
  final var uncountedResolver: UncountedResolver {
    unsafe UncountedResolver(keptContainer.unsafelyUnwrapped, .passUnretained(self))
  }

  // MARK: - Using it again

  /// Whether ``leaveUnshared()`` has anything to do.
  @inline(__always)
  final var refersToOthers: Bool { hasReferences || ownCells.cells != nil }

  /// Ends a context used for nothing but instances in cells, with the caller's sole reference. Runs
  /// deinits of graph instances.
  final func leaveUnshared() {
    ownCells.cells?.emptyUnshared()
    releaseOthers()
  }

  /// Releases all references, if the context was used for nothing but an instance.
  func endAsNew() -> Bool {
    preconditionFailure("GraphContext.endAsNew: must be overridden by those that threads keep")
  }

  /// Begins a new or reused context. The caller holds the container and the requester until the end
  /// of the context, or makes the context take references.
  ///
  /// - Parameters:
  ///   - container: the container of the context's resolver.
  ///   - requester: the unfinished context whose resolver asks, if any.
  @inline(__always)
  final func begin(in container: ContainerCore, requestedBy requester: ResolutionContext?) {
    unsafe keptContainer = Unmanaged.passUnretained(container)
    nest(requestedBy: requester)
  }
}

/// The resolution begun by a transient resolve.
// SAFETY: see the superclass.
final class TransientResolution: GraphContext, ThreadSpare, @unchecked Sendable {
  static var kind: ThreadSpares.Kind { .resolution }

  /// Kept by the container.
  private var slot: SlotReference?

  override var builtSlot: SlotReference? { slot }

  /// A resolution, reused if the calling thread has kept a spare.
  ///
  /// - Parameters:
  ///   - slot: the slot of the transient to be built, if requesters are tracked.
  ///   - requester: the unfinished context that asks, if any, held by the caller until the end.
  /// - Returns: with a reference, consumed by ``endUnshared(_:)``.
  static func begin(
    in container: ContainerCore, building slot: SlotReference? = nil,
    requestedBy requester: ResolutionContext? = nil
  ) -> Unmanaged<TransientResolution> {
    let spare = unsafe ThreadSpares.take(TransientResolution.self)
    let resolution = unsafe spare ?? Unmanaged.passRetained(TransientResolution())
    // SAFETY: nobody else refers to the resolution.
    unsafe resolution._withUnsafeGuaranteedRef {
      $0.slot = slot
      $0.begin(in: container, requestedBy: requester)
    }
    return unsafe resolution
  }

  override func endAsNew() -> Bool {
    if !isUntouched { return false }
    leaveUnshared()
    return true
  }
}

extension ThreadSpare where Self: GraphContext {
  /// Ends a context whose instance, if any, is not shared. Runs deinits of graph instances.
  @inline(__always)
  static func endUnshared(_ ended: Unmanaged<Self>) {
    if unsafe keep(ended) { return }
    // SAFETY: the caller's reference.
    unsafe ended._withUnsafeGuaranteedRef {
      $0.takeReferences()
      $0.finish()
    }
    unsafe ended.release()
  }

  /// Keeps a context as the thread's spare, with the caller's reference, if unshared and as new.
  @inline(__always)
  static func keep(_ ended: Unmanaged<Self>) -> Bool {
    // SAFETY: the caller's reference.
    guard ThreadSpares.areKept, unsafe ThreadSpares.isUnshared(ended),
      unsafe ended._withUnsafeGuaranteedRef({ $0.endAsNew() })
    else { return false }
    unsafe ThreadSpares.keep(ended)
    return true
  }
}
