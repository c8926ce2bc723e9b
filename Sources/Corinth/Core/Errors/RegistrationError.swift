// SPDX-License-Identifier: MIT

/// The reason why a registration was refused, or why registrations are faulty.
///
/// `register` and `forward` throw the error, and the previous registration stays in place.
/// Modifiers throw nothing, as modifiers come in any order: `eager()` may stand before
/// `as(.singleton)`. The fault of a modifier comes with every resolve of the key, and with
/// `warmUp()`, as the ``ResolutionError/underlyingError-swift.property`` of
/// ``ResolutionError/invalidRegistration(_:)``.
@nonexhaustive
public enum RegistrationError: Error {
  /// The key is registered already, and the old registration, the new registration or the container
  /// refuses duplicates.
  ///
  /// - Parameters:
  ///   - key: the key of both registrations.
  ///   - existing: the source location of the registration that stays.
  ///   - refused: the source location of the refused registration.
  ///   - policy: ``DuplicatePolicy/refuse`` if the container refuses all duplicates; otherwise one
  ///     of the two registrations does.
  case alreadyRegistered(
    key: RegistrationKey, existing: SourceLocation, refused: SourceLocation,
    policy: DuplicatePolicy)
  /// A weak registration has a product type that is neither a class nor a protocol.
  case weakRequiresClass(key: RegistrationKey, location: SourceLocation)
  /// An eager registration is not a singleton without arguments.
  case eagerRequiresSingleton(key: RegistrationKey, location: SourceLocation)
  /// A shared scope stores an instance per value of the arguments, which are not `Hashable`.
  case scopeRefusesArguments(key: RegistrationKey, scope: AnyScope, location: SourceLocation)
  /// A registration whose factory receives the requester has a scope that shares instances.
  case sharingRefusesRequester(key: RegistrationKey, location: SourceLocation)
  /// A registration has a disposer, but a scope whose instances do not end with a container.
  case disposalRequiresOwner(key: RegistrationKey, scope: AnyScope, location: SourceLocation)
  /// An input of request scopes has a scope of its own, has a disposer, or is eager.
  case inputRefusesModifier(key: RegistrationKey, location: SourceLocation)
  /// An initializer was registered with arguments, and no parameter takes one of the arguments.
  case argumentNotTaken(key: RegistrationKey, argument: any Any.Type, location: SourceLocation)
  /// `implements` or `forward` was to serve instances under a type that the instances cannot have.
  case doesNotImplement(key: RegistrationKey, target: RegistrationKey, location: SourceLocation)
  /// An array was contributed in place of the elements.
  case arrayContributed(key: RegistrationKey, location: SourceLocation)
  /// The container has been closed or shut down.
  case containerClosed(key: RegistrationKey, location: SourceLocation)
  /// The container has been frozen, or was built by a ``ContainerBuilder``.
  case containerFrozen(key: RegistrationKey, location: SourceLocation)
  /// Modifiers of registrations contradict each other: the container is not frozen, or not built.
  ///
  /// - Parameter failures: one ``ResolutionError/invalidRegistration(_:)`` per faulty registration,
  ///   in the order of registration.
  case invalidRegistrations(_ failures: [ResolutionError])
  /// ``Container/validate(roots:inputs:strictly:)`` has found problems: all are in the report.
  ///
  /// ```swift
  /// do { try container.validate() } catch RegistrationError.validationFailed(let report) {
  ///   for finding in report.findings where finding.kind == .captive { print(finding.path) }
  /// }
  /// ```
  case validationFailed(_ report: ValidationReport)
  /// An assembly threw an error. Later assemblies were not applied.
  ///
  /// - Parameters:
  ///   - assembly: the name of the assembly's type.
  ///   - phase: the step that failed.
  ///   - error: the error that the assembly threw.
  case assemblyFailed(assembly: String, phase: AssemblyPhase, error: any Error)
  /// A ``ReloadableContainer`` was not reloaded: instances that would stay have unknown
  /// dependencies, and may depend on a changed registration.
  ///
  /// ```swift
  /// do { try await shop.reload(change) } catch RegistrationError.reloadRefused(let findings) {
  ///   for place in findings.flatMap(\.places) { print(place.key, place.location) }
  /// }
  /// ```
  ///
  /// - Parameter findings: a finding for every registration that has to declare dependencies, in
  ///   the order of registration. The path of a finding begins at a registration whose instance
  ///   would stay, and ends at the registration with unknown dependencies. The last findings are
  ///   registrations with a ``CustomStorage`` of the program, which would serve two versions.
  case reloadRefused(_ findings: [ValidationFinding])
}

extension RegistrationError {
  /// The refused key; `nil` if the error is not about a single registration.
  public var key: RegistrationKey? {
    switch self {
    case .alreadyRegistered(let key, _, _, _), .weakRequiresClass(let key, _),
      .eagerRequiresSingleton(let key, _), .scopeRefusesArguments(let key, _, _),
      .sharingRefusesRequester(let key, _), .disposalRequiresOwner(let key, _, _),
      .inputRefusesModifier(let key, _),
      .argumentNotTaken(let key, argument: _, location: _),
      .doesNotImplement(let key, target: _, location: _), .arrayContributed(let key, _),
      .containerClosed(let key, _), .containerFrozen(let key, _):
      key
    case .invalidRegistrations, .validationFailed, .assemblyFailed, .reloadRefused: nil
    }
  }
}

extension RegistrationError: CustomStringConvertible {
  public var description: String {
    if isForComparison { return "RegistrationError.\(kind.rawValue)" }
    return switch self {
    case .alreadyRegistered(let key, let existing, let refused, let policy):
      """
      \(key) is already registered.
        registered at \(existing)
        refused at \(refused)
        hint: \(policy == .refuse ? Self.duplicateHint(key) : Self.finalHint)
      """
    case .weakRequiresClass(let key, let location):
      """
      \(key) cannot be held weakly: \(key.product) is neither a class nor a protocol.
        registered at \(location)
        hint: use .singleton to share it, or .transient to build it for each resolve.
      """
    case .eagerRequiresSingleton(let key, let location):
      """
      \(key) cannot be eager: only a singleton is built in advance.
        registered at \(location)
        hint: give it scope: .singleton.
      """
    case .scopeRefusesArguments(let key, let scope, let location):
      """
      \(key) cannot be \(scope): it would have an instance for each value of its arguments, which are not Hashable.
        registered at \(location)
        hint: make their types Hashable, or leave it transient.
      """
    case .sharingRefusesRequester(let key, let location):
      """
      \(key) cannot be shared: its factory is told who asks, and a shared instance has many requesters.
        registered at \(location)
        hint: leave it transient; register what its instances can share on its own, and resolve that in the factory.
      """
    case .disposalRequiresOwner(let key, let scope, let location):
      """
      \(key) cannot be disposed of by the container: it is \(scope).
        registered at \(location)
        hint: give it scope: .singleton or .scoped.
      """
    case .inputRefusesModifier(let key, let location):
      """
      \(key) is an input, which request scopes are made with: it cannot have a scope of its own, be eager or be disposed of.
        registered at \(location)
        hint: leave that out; a scope keeps the value that it was made with until it ends.
      """
    case .argumentNotTaken(let key, let argument, let location):
      """
      \(key) cannot be wired: no parameter of its initializer takes the argument \(argument).
        registered at \(location)
        hint: list the arguments in the order of the parameters, each with the parameter's own type.
      """
    case .doesNotImplement(let key, let target, let location):
      Namesakes.distinguishing(key.namedTypes + target.namedTypes) {
        """
        \(key) cannot be served by \(target), which neither conforms to it nor inherits from it.
          registered at \(location)
          hint: declare the conformance, or name a protocol or superclass that \(target) has.
        """
      }
    case .arrayContributed(let key, let location):
      """
      \(key) would have arrays as its elements.
        registered at \(location)
        hint: name the type of one element; if arrays are meant, wrap them in a type of their own.
      """
    case .containerClosed(let key, let location):
      """
      \(key) cannot be registered: the container is closed.
        refused at \(location)
        hint: register before close() or shutdown().
      """
    case .containerFrozen(let key, let location):
      """
      \(key) cannot be registered: the container is frozen.
        refused at \(location)
        hint: register before freeze() or build(), or in a child, a scope or a fork of the container.
      """
    case .invalidRegistrations(let failures):
      Self.list(
        quantity(failures.count, "registration is", "registrations are") + " invalid.", failures)
    case .validationFailed(let report):
      Self.list(
        quantity(report.findings.count, "problem was", "problems were")
          + " found in the registrations.",
        report.findings)
    case .assemblyFailed(let assembly, let phase, let error):
      """
      \(assembly) could not be applied: its \(phase.method) failed: \(error)\(Self.hintAtEarlyResolve(phase, error))
        hint: what was done before stays; apply the assemblies again, and they go on with this step.
      """
    case .reloadRefused(let findings):
      Self.list(
        "The container cannot be reloaded: "
          + (findings.count == 1
            ? "1 registration may depend on what changes."
            : "\(findings.count) registrations may depend on what changes."),
        findings)
    }
  }

  /// Whether the error was made for comparison only.
  private var isForComparison: Bool {
    switch self {
    case .invalidRegistrations(let failures): failures.first == nil
    case .validationFailed(let report): report.findings.first == nil
    case .reloadRefused(let findings): findings.first == nil
    case .assemblyFailed(let assembly, phase: _, error: _): assembly == ""
    default: key == .any
    }
  }

  private static func list(_ summary: String, _ items: [some CustomStringConvertible]) -> String {
    ([summary] + items.map(\.description)).joined(separator: "\n")
  }

  /// For an assembly that resolves before the assemblies after it have registered.
  private static func hintAtEarlyResolve(_ phase: AssemblyPhase, _ error: any Error) -> String {
    guard phase != .loading, error.is(ResolutionError.noRegistrationFound) else { return "" }
    return
      "\n  hint: another assembly may register it later: resolve in loaded(resolver:), or list that in `dependencies`."
  }

  private static var finalHint: String {
    "one of the two is registered with onDuplicate: .refuse; give one of them a name, or unregister the first."
  }

  private static func duplicateHint(_ key: RegistrationKey) -> String {
    "the container refuses duplicates; "
      + (key.isContribution
        ? "give one of them another name, or unregister the first if this is meant to replace it."
        : "give one of them a name, or say onDuplicate: .override if it is meant to replace the first.")
  }
}

/// A step of applying an assembly.
public enum AssemblyPhase: Sendable, Hashable, CaseIterable {
  /// ``Assembly/preloaded(container:)``
  case preloading
  /// ``Assembly/assemble(container:)``
  case assembling
  /// ``Assembly/loaded(resolver:)``
  case loading

  var method: String {
    switch self {
    case .preloading: "preloaded(container:)"
    case .assembling: "assemble(container:)"
    case .loading: "loaded(resolver:)"
    }
  }
}
