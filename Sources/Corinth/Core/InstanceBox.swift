// SPDX-License-Identifier: MIT

/// A ready instance as a slot's word points to it, without its type.
///
/// Owned by its registration, which therefore outlives it.
@usableFromInline
@safe
class AnyInstanceBox {
  // SAFETY: the registration owns the box and releases it in its own deinit.
  let registration: Unmanaged<RegistrationRecord>

  init(builtBy registration: RegistrationRecord) {
    unsafe self.registration = Unmanaged.passUnretained(registration)
  }
}

/// A ready instance of a singleton.
@usableFromInline
final class InstanceBox<Product>: AnyInstanceBox {
  @usableFromInline let instance: Product

  init(_ instance: Product, builtBy registration: RegistrationRecord) {
    self.instance = instance
    super.init(builtBy: registration)
  }
}
