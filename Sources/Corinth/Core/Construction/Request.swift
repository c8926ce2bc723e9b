// SPDX-License-Identifier: MIT

/// The parameters of a resolve of a registration. All steps borrow one value, uncounted.
struct Request {
  /// The slot in which the registration was found.
  let slot: SlotReference
  /// The container asked.
  let container: ContainerCore
  /// The context whose resolver asks, if any.
  let context: ResolutionContext?
  let arguments: AnyArguments?

  init(
    _ slot: SlotReference, for container: ContainerCore, within context: ResolutionContext? = nil,
    arguments: AnyArguments? = nil
  ) {
    self.slot = slot
    self.container = container
    self.context = context
    self.arguments = arguments
  }

  /// The context, unless ended.
  var requester: ResolutionContext? { .unfinished(context) }
}

/// The next step of a resolve for a shared instance. A thread and a task only wait differently.
@safe
enum Step: ~Copyable {
  case done(AnyInstanceBox)
  /// A concurrent thread or task is building the instance.
  case wait(Place)
  /// The caller owns the construction, with the reference of the state.
  case build(Unmanaged<Construction>)
  /// Build a newer instance, while further resolves get the old one.
  case refresh(AnyInstanceBox, in: InstanceState)
  /// A new registration has replaced the old, whose instances are being disposed of; or the same
  /// registration is to locate the instance again, as the state has ended.
  case redirect(RegistrationRecord)
}
