// SPDX-License-Identifier: MIT

/// Hides a registration of an ancestor: a resolve of the key finds none.
///
/// Only versions of containers have absence records. A lookup ends at the record, without a slot:
/// ``ContainerCore/explicitSlot(of:)``. A resolve from the slot throws the error of a missing key.
// SAFETY: see the superclass.
final class AbsenceRecord: RegistrationRecord, @unchecked Sendable {
  init(_ attributes: RegistrationAttributes) {
    super.init(attributes, factoryKind: .absence)
  }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    AbsenceRecord(attributes)
  }

  override func build(
    _ resolver: UncountedResolver, _: AnyArguments?
  ) throws -> AnyInstanceBox {
    throw resolver.counted.registry.notFound(key)
  }
}
