// SPDX-License-Identifier: MIT

/// A context whose resolution has its graph instances in cells, as long as they belong to one container. Note 24.
@safe
// SAFETY: see the superclass; `keptContainer` is constant while somebody else refers to the context, and retained or not as
// what it is nested in: not alive while a thread keeps this to use it again.
class GraphContext: ResolutionContext, InstanceKeeper, @unchecked Sendable {
  private final let madeCells = MadeCells()

  override init() { super.init() }

  /// A resolution of a container, with references.
  convenience init(in container: ContainerCore) {
    self.init()
    begin(in: container, requestedBy: nil)
    takeReferences()
  }

  /// The container that the resolver of this belongs to.
  // SAFETY: see above.
  final var container: ContainerCore {
    unsafe keptContainer.unsafelyUnwrapped.takeUnretainedValue()
  }

  // MARK: - Cells

  final var cells: ScopeCells? { madeCells.cells }

  /// The cells, made on first use; `nil` once the resolution that begins here has ended.
  @inline(__always)
  final var cellsForUse: ScopeCells? { madeCells.orMake() }

  final func storedState(of record: RegistrationRecord) -> InstanceState? {
    graph.state(of: record, in: container, arguments: nil)
  }

  final override func closeInstances() {
    let cells = madeCells.close()
    if cells != nil { sealCells() }
    super.closeInstances()
    cells?.empty()
  }

  // MARK: - Using it again

  /// Whether there is something to do for ``leaveUnshared()``.
  @inline(__always)
  final var refersToOthers: Bool { hasReferences || madeCells.cells != nil }

  /// Ends one that nothing has come of but instances in cells, and that only the caller refers to. Deinits of graph
  /// instances run in this call.
  final func leaveUnshared() {
    madeCells.cells?.emptyUnshared()
    releaseOthers()
  }

  /// Has it refer to nothing, if nothing has come of it but an instance.
  func endAsNew() -> Bool {
    preconditionFailure("GraphContext.endAsNew: must be overridden by those that threads keep")
  }

  /// Begins one that is new, or that a thread has kept. The caller holds the container and the requester until it ends this,
  /// or has it take references.
  ///
  /// - Parameters:
  ///   - container: the container that the resolver of this belongs to.
  ///   - requester: the unfinished context whose resolver asks, if any.
  @inline(__always)
  final func begin(in container: ContainerCore, requestedBy requester: ResolutionContext?) {
    unsafe keptContainer = Unmanaged.passUnretained(container)
    nest(requestedBy: requester)
  }
}

/// The resolution that a transient resolve begins.
// SAFETY: see the superclass.
final class TransientResolution: GraphContext, ThreadSpare, @unchecked Sendable {
  static var kind: ThreadSpares.Kind { .resolution }

  /// The slot of the transient that is built in it, if requesters are tracked. The container keeps it.
  private(set) final var builtSlot: SlotReference?

  /// One that the calling thread has kept, if there is one.
  ///
  /// - Parameters:
  ///   - slot: that of the transient that is built in it, if requesters are tracked.
  ///   - requester: the unfinished context that asks, if any, which the caller holds until the end.
  /// - Returns: with a reference, which ``endUnshared(_:)`` takes over.
  static func begin(
    in container: ContainerCore, building slot: SlotReference? = nil,
    requestedBy requester: ResolutionContext? = nil
  ) -> Unmanaged<TransientResolution> {
    let spare = unsafe ThreadSpares.take(TransientResolution.self)
    let resolution = unsafe spare ?? Unmanaged.passRetained(TransientResolution())
    // SAFETY: nobody else refers to it.
    unsafe resolution._withUnsafeGuaranteedRef {
      $0.builtSlot = slot
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
  /// Ends one whose instance, if it has one, is not shared. Deinits of graph instances run in this call.
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

  /// Keeps one for the calling thread, with the caller's reference, if nobody else refers to it and nothing has come of it.
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
