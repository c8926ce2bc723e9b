// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// A registration serves the optional of its type too, unless the optional is registered. A second
/// registration of a key replaces the first. The closures run on the resolving threads.
extension Container {
  /// Registers a closure under the type that the closure returns.
  public func register<D>(
    alternative: String? = nil, file: StaticString = #fileID, function: String = #function,
    line: UInt = #line, _ resolver: @escaping () -> D
  ) { add(alternative.map { Name($0) }, Site(file, function, line), resolver) }

  /// Registers a closure with a parameter. For an injected property, the argument is the object
  /// that has the property; for a resolve, the argument is the parameter of the resolve.
  public func register<D>(
    alternative: String? = nil, file: StaticString = #fileID, function: String = #function,
    line: UInt = #line, _ resolver: @escaping (_ parameter: Any) -> D
  ) { add(alternative.map { Name($0) }, Site(file, function, line), resolver) }

  /// Registers a closure under the type that the closure returns and an alternative.
  public func register<D>(
    alternative: RegistrationAlternative?, file: StaticString = #fileID,
    function: String = #function, line: UInt = #line, _ resolver: @escaping () -> D
  ) { add(alternative?.name, Site(file, function, line), resolver) }

  /// Registers a closure with a parameter under an alternative.
  public func register<D>(
    alternative: RegistrationAlternative?, file: StaticString = #fileID,
    function: String = #function, line: UInt = #line, _ resolver: @escaping (_ parameter: Any) -> D
  ) { add(alternative?.name, Site(file, function, line), resolver) }

  private func add<D>(_ name: Name?, _ site: Site, _ resolver: @escaping () -> D) {
    let resolver = UncheckedSendable(resolver)
    if isOptional(D.self) { Self.noteOptional() }
    log(site, D.self) { try core.register(D.self, name: name) { _ in resolver.value() } }
  }

  private func add<D>(_ name: Name?, _ site: Site, _ resolver: @escaping (Any) -> D) {
    let resolver = UncheckedSendable(resolver)
    log(site, D.self) {
      try core.register(D.self, name: name) { (_, parameter: Any) in resolver.value(parameter) }
    }
  }

  private func log(_ site: Site, _ type: any Any.Type, registering register: () throws -> Void) {
    do {
      try register()
      site.log("\(type) was registered")
    } catch {
      assertionFailure("Container is locked", file: site.file, line: site.line)
      site.log("\(type) was not registered: Container is locked", .error)
    }
  }
}
