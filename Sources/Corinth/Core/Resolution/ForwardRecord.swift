// SPDX-License-Identifier: MIT

/// A registration that serves another one's instances under its own type.
///
/// Each resolve looks the other key up, in the container that was asked, so both keys always lead to the same
/// instance.
// SAFETY: see the superclass.
final class ForwardRecord<Product>: RegistrationRecord, @unchecked Sendable {
  private let target: RegistrationKey

  init(_ attributes: RegistrationAttributes, to target: RegistrationKey) {
    self.target = target
    super.init(attributes, factoryKind: .forwarding)
  }

  override var forwardingTarget: RegistrationKey? { target }

  /// The target may be asynchronous.
  override var mayBuildAsynchronously: Bool { true }

  override func copy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    ForwardRecord(attributes, to: target)
  }

  override func build(_ resolver: Resolver, _ arguments: AnyArguments?) throws -> AnyInstanceBox {
    try box(
      of: resolver.registry.box(of: target, arguments: arguments, within: resolver.construction))
  }

  override func buildAsync(
    _ resolver: Resolver, _ arguments: AnyArguments?
  ) async throws -> AnyInstanceBox {
    try box(
      of: await resolver.registry.boxAsync(
        of: target, arguments: arguments, within: resolver.construction))
  }

  private func box(of served: AnyInstanceBox) throws(InstanceError) -> AnyInstanceBox {
    guard let product = served.product as? Product else {
      if isOptional(type(of: served.product), of: Product.self) {
        throw .nilInstance(product: Product.self)
      }
      throw .doesNotImplement(product: Product.self, instance: type(of: served.product))
    }
    return InstanceBox(product)
  }
}
