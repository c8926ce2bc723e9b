// SPDX-License-Identifier: MIT

/// The parameters of one resolve of a registration. All steps borrow the same value, and count no reference.
struct Request {
  /// The slot in which the registration was found.
  let slot: SlotReference
  /// The container that was asked.
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

  /// The context, unless it has ended.
  var requester: ResolutionContext? { .unfinished(context) }
}

/// The next step of a resolve for a shared instance. A thread and a task take the same ones; they differ in how they wait.
@safe
enum Step: ~Copyable {
  case done(AnyInstanceBox)
  /// Another thread or task is building the instance.
  case wait(InstanceState)
  /// The caller owns this construction, with the reference of the state.
  case build(Unmanaged<Construction>)
  /// Build a newer instance, while other resolves get this one.
  case refresh(AnyInstanceBox, in: InstanceState)
  /// Another registration has taken the place of this one, whose instances are being disposed of.
  case redirect(RegistrationRecord)
}
