// SPDX-License-Identifier: MIT

/// A registration of one version of a container that serves the instances of an older one, which has it still.
///
/// The instance is built there too, if it has not been: once for all versions that share it.
// SAFETY: see the superclass.
final class SharingRecord: RegistrationRecord, @unchecked Sendable {
  /// The version that has the instances, which this keeps alive. The original is looked up there: a reference to it would keep
  /// an instance after its disposal.
  let home: ContainerLayer

  /// - Parameters:
  ///   - original: a registration that stores its instances, and none of this class.
  ///   - home: the layer that it is registered in.
  ///   - owner: the core of the newer layer.
  convenience init(
    _ original: RegistrationRecord, in home: ContainerLayer, for owner: ContainerCore
  ) {
    var attributes = original.attributes
    unsafe attributes.owner = owner
    attributes.isAdopted = true
    attributes.isEager = false
    attributes.scope = .transient
    // All that runs with an instance runs where it is built.
    attributes.disposers = nil
    attributes.lifecycle = Lifecycle()
    self.init(attributes, in: home)
  }

  private init(_ attributes: RegistrationAttributes, in home: ContainerLayer) {
    self.home = home
    super.init(attributes, factoryKind: .forwarding)
  }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    SharingRecord(attributes, in: home)
  }

  /// Itself once the home is closed: then nothing is resolved here any more.
  override var served: RegistrationRecord { home.core.table.find(key)?.registration ?? self }

  /// Those of the original are.
  override var reportsResolves: Bool { false }

  /// The original may be asynchronous.
  override var mayBuildAsynchronously: Bool { true }

  override func build(_ resolver: Resolver, _ arguments: AnyArguments?) throws -> AnyInstanceBox {
    // An older version ends later, and depends on nothing here.
    let notes = ResolveNotes.pause()
    defer { ResolveNotes.resume(notes) }
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
