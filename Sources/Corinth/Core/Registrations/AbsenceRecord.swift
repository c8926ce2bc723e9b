// SPDX-License-Identifier: MIT

/// Hides the registration that an ancestor has of a key: a resolve finds none.
///
/// Only versions of containers have some. Whatever looks a key up passes by ``ContainerCore/explicitSlot(of:)``, which ends at
/// one, or resolves from the slot itself, and gets the error of a missing key.
// SAFETY: see the superclass.
final class AbsenceRecord: RegistrationRecord, @unchecked Sendable {
  init(_ attributes: RegistrationAttributes) {
    super.init(attributes, factoryKind: .forwarding)
  }

  override var isAbsence: Bool { true }

  /// Nothing is resolved.
  override var reportsResolves: Bool { false }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    AbsenceRecord(attributes)
  }

  override func build(_ resolver: Resolver, _: AnyArguments?) throws -> AnyInstanceBox {
    throw resolver.registry.notFound(key)
  }
}

extension ContainerCore {
  /// Hides what the ancestors have of a key, and removes what this container has.
  func hide(_ key: RegistrationKey, at location: SourceLocation) throws(RegistrationError) {
    // In the place of what is there, which another registration may take again.
    var attributes = RegistrationAttributes(
      key: key, scope: AnyScope.transient, onDuplicate: .override, location: location, owner: self)
    attributes.isAdopted = true
    _ = try publish(AbsenceRecord(attributes), .registration)
  }
}
