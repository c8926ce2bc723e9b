// SPDX-License-Identifier: MIT

/// A registration of one version of a container that serves an older version's instances.
///
/// An instance not built yet is built in the older version: once for all versions that share it.
// SAFETY: see the superclass.
final class SharingRecord: RegistrationRecord, @unchecked Sendable {
  /// The version with the instances, kept alive by the record. The original is looked up there: a
  /// reference to the original would keep an instance after its disposal.
  let home: ContainerLayer

  /// - Parameters:
  ///   - original: a registration that stores its instances, and not a sharing record.
  ///   - home: the layer of the original's registration.
  ///   - owner: the core of the newer layer.
  convenience init(
    _ original: RegistrationRecord, in home: ContainerLayer, for owner: ContainerCore
  ) {
    var attributes = original.attributes
    unsafe attributes.owner = owner
    attributes.markAdopted()
    attributes.isEager = false
    attributes.scope = .transient
    // The lifecycle of an instance runs where the instance is built.
    attributes.disposers = nil
    attributes.lifecycle = Lifecycle()
    self.init(attributes, in: home)
  }

  private init(_ attributes: RegistrationAttributes, in home: ContainerLayer) {
    self.home = home
    super.init(attributes, factoryKind: .sharing)
  }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    SharingRecord(attributes, in: home)
  }

  /// The record itself once the home is closed: from then on, no resolve comes here.
  override var served: RegistrationRecord { home.core.table.find(key)?.registration ?? self }

  override func build(
    _ uncounted: UncountedResolver, _ arguments: AnyArguments?
  ) throws -> AnyInstanceBox {
    let resolver = uncounted.counted
    // An older version ends later, and depends on nothing here.
    let recipient = ResolveNotes.Recipient.pause()
    defer { recipient.resume() }
    return try home.core.servedBox(of: key, arguments: arguments, within: resolver.construction).box
  }

  nonisolated(nonsending)
    override func buildAsync(
      _ resolver: Resolver, _ arguments: AnyArguments?
    ) async throws -> AnyInstanceBox
  {
    try await home.core.boxAsync(of: key, arguments: arguments, within: resolver.construction)
  }
}
