// SPDX-License-Identifier: MIT

/// The resolution of a transient resolve, or the context of the transient, while the factory runs.
@usableFromInline
@safe
struct OpenResolution {
  // SAFETY: every field with a reference, until `end`.
  private let own: Unmanaged<TransientResolution>?
  private let continued: Unmanaged<ResolutionContext>?
  /// The context that the thread was running before, if any; `nil` if the thread still runs it.
  // SAFETY: such a context lives for longer.
  private let previous: Unmanaged<ResolutionContext>??

  /// A resolution that begins with the resolve.
  init(beginningIn container: __shared ContainerCore) {
    unsafe own = TransientResolution.begin(in: container)
    unsafe continued = nil
    unsafe previous = .none
  }

  /// A context for the transient alone, by which the factory's resolves can tell the requester.
  ///
  /// - Parameter context: the context whose resolver asks, if any.
  init(
    building slot: SlotReference, in container: __shared ContainerCore,
    within context: __shared ResolutionContext?
  ) {
    // A new join of two contexts is referred to only here.
    let requester = ResolutionContext.unfinished(context)
      .flatMap { ResolutionContext.innermost(within: $0) }
    unsafe own = TransientResolution.begin(
      in: container, building: slot, requestedBy: requester)
    unsafe continued = requester.map { unsafe Unmanaged.passRetained($0) }
    unsafe previous = .some(ResolutionContext.unretainedRunning)
    unsafe own?._withUnsafeGuaranteedRef { $0.enter() }
  }

  /// A resolution begun before. The calling thread may have got a resolver from elsewhere: the
  /// factory's resolves belong to the resolution even without use of the factory's own resolver.
  init(continuing context: __shared ResolutionContext?) {
    unsafe own = nil
    unsafe continued = context.map { unsafe Unmanaged.passRetained($0) }
    let running = unsafe ResolutionContext.unretainedRunning
    guard let context, unsafe continued?.toOpaque() != running?.toOpaque(),
      !ResolutionContext.isOver(context)
    else {
      unsafe previous = .none
      return
    }
    unsafe previous = .some(running)
    unsafe context.noteHandOver(toThreadRunning: running)
    context.enter()
  }

  /// The context of the factory's resolver.
  @usableFromInline var context: ResolutionContext? {
    unsafe own?.takeUnretainedValue() ?? continued?.takeUnretainedValue()
  }

  /// Ends the resolution if it began here. Called once, on the thread of the initializer. Runs
  /// deinits of graph instances.
  @usableFromInline
  func end() {
    if let previous = unsafe previous { unsafe ResolutionContext.leave(to: previous) }
    if let own = unsafe own {
      unsafe own._withUnsafeGuaranteedRef { $0.passOnHandOver() }
      unsafe TransientResolution.endUnshared(own)
    }
    unsafe continued?.release()
  }
}

extension OpenResolution {
  /// The resolution of a transient resolve.
  ///
  /// - Parameter slot: the transient's slot; `nil` for a record that only passes instances on.
  @usableFromInline @inline(never)
  static func begin(
    in container: ContainerCore, within context: ResolutionContext?, building slot: SlotReference?
  ) -> OpenResolution {
    if container.tracksResolutions {
      if let slot, container.tracksRequesters {
        return OpenResolution(building: slot, in: container, within: context)
      }
      if ResolutionContext.unfinished(context) == nil {
        return OpenResolution(beginningIn: container)
      }
    }
    return OpenResolution(continuing: .innermost(within: context))
  }
}
