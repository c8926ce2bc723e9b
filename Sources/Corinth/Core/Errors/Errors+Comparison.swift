// SPDX-License-Identifier: MIT

/// Errors are equal if the cases are. Every case has a static member of its name, to compare with.
///
/// ```swift
/// XCTAssertThrowsError(try container.resolve(Car.self)) { XCTAssert($0.is(.noRegistrationFound)) }
/// #expect(throws: ResolutionError.noRegistrationFound) { try container.resolve(Car.self) }
/// ```
extension ResolutionError: Equatable {
  /// The case without details.
  enum Kind: String, Sendable {
    case noRegistrationFound, containerGone, containerClosed, scopeRefused
    case circularDependencyDetected, resolutionTooDeep, asyncResolutionRequired, scopeRequired
    case scopeInputMissing, captiveDependency, invalidRegistration, underlyingError
    case warmUpFailed, injectionFailed
  }

  var kind: Kind {
    switch self {
    case .noRegistrationFound(_): .noRegistrationFound
    case .containerGone(_): .containerGone
    case .containerClosed(_): .containerClosed
    case .scopeRefused(_): .scopeRefused
    case .circularDependencyDetected(_): .circularDependencyDetected
    case .resolutionTooDeep(_): .resolutionTooDeep
    case .asyncResolutionRequired(_): .asyncResolutionRequired
    case .scopeRequired(_): .scopeRequired
    case .scopeInputMissing(_): .scopeInputMissing
    case .captiveDependency(_): .captiveDependency
    case .invalidRegistration(_): .invalidRegistration
    case .underlyingError(_): .underlyingError
    case .warmUpFailed(_): .warmUpFailed
    case .injectionFailed(_): .injectionFailed
    }
  }

  /// Whether two errors have equal cases, whatever the contexts.
  public static func == (left: Self, right: Self) -> Bool { left.kind == right.kind }

  /// ``noRegistrationFound(_:)`` without a context, for comparison.
  public static var noRegistrationFound: Self { .noRegistrationFound(Context()) }
  /// ``containerGone(_:)`` without a context, for comparison.
  public static var containerGone: Self { .containerGone(Context()) }
  /// ``containerClosed(_:)`` without a context, for comparison.
  public static var containerClosed: Self { .containerClosed(Context()) }
  /// ``scopeRefused(_:)`` without a context, for comparison.
  public static var scopeRefused: Self { .scopeRefused(Context()) }
  /// ``circularDependencyDetected(_:)`` without a context, for comparison.
  public static var circularDependencyDetected: Self { .circularDependencyDetected(Context()) }
  /// ``resolutionTooDeep(_:)`` without a context, for comparison.
  public static var resolutionTooDeep: Self { .resolutionTooDeep(Context()) }
  /// ``asyncResolutionRequired(_:)`` without a context, for comparison.
  public static var asyncResolutionRequired: Self { .asyncResolutionRequired(Context()) }
  /// ``scopeRequired(_:)`` without a context, for comparison.
  public static var scopeRequired: Self { .scopeRequired(Context()) }
  /// ``scopeInputMissing(_:)`` without a context, for comparison.
  public static var scopeInputMissing: Self { .scopeInputMissing(Context()) }
  /// ``captiveDependency(_:)`` without a context, for comparison.
  public static var captiveDependency: Self { .captiveDependency(Context()) }
  /// ``invalidRegistration(_:)`` without a context, for comparison.
  public static var invalidRegistration: Self { .invalidRegistration(Context()) }
  /// ``underlyingError(_:)`` without a context, for comparison.
  public static var underlyingError: Self { .underlyingError(Context()) }
  /// ``warmUpFailed(_:)`` without a context, for comparison.
  public static var warmUpFailed: Self { .warmUpFailed(Context()) }
  /// ``injectionFailed(_:)`` without a context, for comparison.
  public static var injectionFailed: Self { .injectionFailed(Context()) }
}

extension RegistrationError: Equatable {
  enum Kind: String, Sendable {
    case alreadyRegistered, weakRequiresClass, eagerRequiresSingleton, scopeRefusesArguments
    case sharingRefusesRequester, disposalRequiresOwner, inputRefusesModifier, argumentNotTaken
    case doesNotImplement
    case arrayContributed, containerClosed, containerFrozen, invalidRegistrations
    case validationFailed, assemblyFailed, reloadRefused
  }

  var kind: Kind {
    switch self {
    case .alreadyRegistered(key: _, existing: _, refused: _, policy: _): .alreadyRegistered
    case .weakRequiresClass(key: _, location: _): .weakRequiresClass
    case .eagerRequiresSingleton(key: _, location: _): .eagerRequiresSingleton
    case .scopeRefusesArguments(key: _, scope: _, location: _): .scopeRefusesArguments
    case .sharingRefusesRequester(key: _, location: _): .sharingRefusesRequester
    case .disposalRequiresOwner(key: _, scope: _, location: _): .disposalRequiresOwner
    case .inputRefusesModifier(key: _, location: _): .inputRefusesModifier
    case .argumentNotTaken(key: _, argument: _, location: _): .argumentNotTaken
    case .doesNotImplement(key: _, target: _, location: _): .doesNotImplement
    case .arrayContributed(key: _, location: _): .arrayContributed
    case .containerClosed(key: _, location: _): .containerClosed
    case .containerFrozen(key: _, location: _): .containerFrozen
    case .invalidRegistrations(_): .invalidRegistrations
    case .validationFailed(_): .validationFailed
    case .assemblyFailed(assembly: _, phase: _, error: _): .assemblyFailed
    case .reloadRefused(_): .reloadRefused
    }
  }

  /// Whether two errors have equal cases, whatever the details.
  public static func == (left: Self, right: Self) -> Bool { left.kind == right.kind }

  /// ``alreadyRegistered(key:existing:refused:policy:)`` without details, for comparison.
  public static var alreadyRegistered: Self {
    .alreadyRegistered(
      key: .any, existing: .any, refused: .any, policy: .override)
  }
  /// ``weakRequiresClass(key:location:)`` without details, for comparison.
  public static var weakRequiresClass: Self { .weakRequiresClass(key: .any, location: .any) }
  /// ``eagerRequiresSingleton(key:location:)`` without details, for comparison.
  public static var eagerRequiresSingleton: Self {
    .eagerRequiresSingleton(key: .any, location: .any)
  }
  /// ``scopeRefusesArguments(key:scope:location:)`` without details, for comparison.
  public static var scopeRefusesArguments: Self {
    .scopeRefusesArguments(key: .any, scope: .transient, location: .any)
  }
  /// ``sharingRefusesRequester(key:location:)`` without details, for comparison.
  public static var sharingRefusesRequester: Self {
    .sharingRefusesRequester(key: .any, location: .any)
  }
  /// ``disposalRequiresOwner(key:scope:location:)`` without details, for comparison.
  public static var disposalRequiresOwner: Self {
    .disposalRequiresOwner(key: .any, scope: .transient, location: .any)
  }
  /// ``inputRefusesModifier(key:location:)`` without details, for comparison.
  public static var inputRefusesModifier: Self { .inputRefusesModifier(key: .any, location: .any) }
  /// ``argumentNotTaken(key:argument:location:)`` without details, for comparison.
  public static var argumentNotTaken: Self {
    .argumentNotTaken(key: .any, argument: Never.self, location: .any)
  }
  /// ``doesNotImplement(key:target:location:)`` without details, for comparison.
  public static var doesNotImplement: Self {
    .doesNotImplement(key: .any, target: .any, location: .any)
  }
  /// ``arrayContributed(key:location:)`` without details, for comparison.
  public static var arrayContributed: Self { .arrayContributed(key: .any, location: .any) }
  /// ``containerClosed(key:location:)`` without details, for comparison.
  public static var containerClosed: Self { .containerClosed(key: .any, location: .any) }
  /// ``containerFrozen(key:location:)`` without details, for comparison.
  public static var containerFrozen: Self { .containerFrozen(key: .any, location: .any) }
  /// ``invalidRegistrations(_:)`` without failures, for comparison.
  public static var invalidRegistrations: Self { .invalidRegistrations([]) }
  /// ``validationFailed(_:)`` without findings, for comparison.
  public static var validationFailed: Self {
    .validationFailed(ValidationReport(findings: [], unknown: []))
  }
  /// ``assemblyFailed(assembly:phase:error:)`` without details, for comparison.
  public static var assemblyFailed: Self {
    .assemblyFailed(assembly: "", phase: .assembling, error: CancellationError())
  }
  /// ``reloadRefused(_:)`` without findings, for comparison.
  public static var reloadRefused: Self { .reloadRefused([]) }
}

extension CloseError: Equatable {
  enum Kind: String, Sendable {
    case asyncCloseRequired, asyncCloseUnderWay, disposalFailed, drainingTimedOut, shutdownInScope,
      workFailed
  }

  var kind: Kind {
    switch self {
    case .asyncCloseRequired(_): .asyncCloseRequired
    case .asyncCloseUnderWay: .asyncCloseUnderWay
    case .disposalFailed(_): .disposalFailed
    case .drainingTimedOut(openScopes: _, failures: _): .drainingTimedOut
    case .shutdownInScope(madeAt: _): .shutdownInScope
    case .workFailed(error: _, closeError: _): .workFailed
    }
  }

  /// Whether two errors have equal cases, whatever the details.
  public static func == (left: Self, right: Self) -> Bool { left.kind == right.kind }

  /// ``asyncCloseRequired(_:)`` without keys, for comparison.
  public static var asyncCloseRequired: Self { .asyncCloseRequired([]) }
  /// ``disposalFailed(_:)`` without failures, for comparison.
  public static var disposalFailed: Self { .disposalFailed([]) }
  /// ``drainingTimedOut(openScopes:failures:)`` without details, for comparison.
  public static var drainingTimedOut: Self { .drainingTimedOut(openScopes: 0, failures: []) }
  /// ``shutdownInScope(madeAt:)`` without a location, for comparison.
  public static var shutdownInScope: Self { .shutdownInScope(madeAt: .any) }
  /// ``workFailed(error:closeError:)`` without details, for comparison.
  public static var workFailed: Self {
    .workFailed(error: CancellationError(), closeError: .asyncCloseUnderWay)
  }
}

extension Error {
  /// Whether the error is a ``ResolutionError`` of a case.
  ///
  /// ```swift
  /// do { try container.resolve(Cache.self) } catch where error.is(.noRegistrationFound) { skip() }
  /// ```
  public func `is`(_ error: ResolutionError) -> Bool { self as? ResolutionError == error }

  /// Whether the error is a ``RegistrationError`` of a case.
  @_disfavoredOverload
  public func `is`(_ error: RegistrationError) -> Bool { self as? RegistrationError == error }

  /// Whether the error is a ``CloseError`` of a case.
  @_disfavoredOverload
  public func `is`(_ error: CloseError) -> Bool { self as? CloseError == error }
}

extension RegistrationKey {
  /// The key of an error made for comparison only.
  static var any: RegistrationKey { RegistrationKey(product: Never.self) }
}

extension SourceLocation {
  /// The location of an error made for comparison only.
  fileprivate static var any: SourceLocation { SourceLocation(file: "", line: 0) }
}
