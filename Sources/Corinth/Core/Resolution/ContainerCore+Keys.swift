// SPDX-License-Identifier: MIT

extension ContainerCore {
  /// A key with arguments names no instance.
  func refuseArguments(of key: RegistrationKey) throws(ResolutionError) {
    guard let arguments = key.argumentList else { return }
    let keyWithout = RegistrationKey(product: key.product, name: key.name)
    throw .noRegistrationFound(
      ResolutionError.Context(
        refusing: keyWithout,
        suggestions: {
          [
            "the key that was asked for has arguments \(arguments): resolve(_:arguments:) takes them."
          ]
        }))
  }
}
