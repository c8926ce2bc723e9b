// SPDX-License-Identifier: MIT
import Corinth

struct Storage: Assembly {
  func asemble(container: Container) throws {}
}
struct Mail: Assembly {
  func assemble(contaner: Container) {}
}
struct Orders {}
extension Orders: Assembly {
  func assemble(container: Container) throws {}
  func loadd(resolver: Resolver) {}
}
struct Users {}
extension Users: Assembly {
  func assemble(container: Container) throws {}
  func preload(container: Container) {}
}

final class Inventory {}
extension Inventory: Behavior {
  func didResolv(_ key: RegistrationKey, as instance: Any, in container: Container) {}
}
final class Ledger {}
extension Ledger: Behavior {
  func didBuild(_ key: RegistrationKey, in duration: Double, container: Container) {}
}
final class Journal {}
extension Journal: Behavior {
  func didRegister<Product>(
    type: Product.Type, to container: Container, as registration: Registration<Product>,
    name: String?
  ) {}
}
