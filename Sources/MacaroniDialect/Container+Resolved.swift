// SPDX-License-Identifier: MIT

/// Parameters of functions: `foo($service: container.resolved())`.
extension Container {
  /// Has an injected parameter resolved from this container.
  public func resolved<D>(alternative: String? = nil) -> Injected<D>.ResolveFrom {
    .container(self, alternative: alternative)
  }

  /// Has an injected parameter resolved from this container, under an alternative.
  public func resolved<D>(alternative: RegistrationAlternative) -> Injected<D>.ResolveFrom {
    .container(self, alternative: alternative.value)
  }
}
