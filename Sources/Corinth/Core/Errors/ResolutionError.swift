// SPDX-License-Identifier: MIT

/// The reason why an instance could not be resolved.
///
/// The text names the failure, the key, the path, and a remedy:
///
/// ```swift
/// do {
///   _ = try container.resolve(Database.self, name: "mysq")
/// } catch let error as ResolutionError {
///   print(error, error.key, error.path)
/// }
/// ```
///
/// An error that passes through factories is not wrapped: the path grows. Only ``warmUpFailed(_:)``
/// and ``injectionFailed(_:)`` are wrapped, as the ``Context/underlyingError`` of the factory's
/// error. Errors are compared by case. Later versions may add cases: a `switch` needs an
/// `@unknown default`.
@nonexhaustive
public enum ResolutionError: Error {
  /// Nothing is registered under the key that ends the path.
  case noRegistrationFound(Context)
  /// The container was deallocated before the key that ends the path was resolved, through a
  /// provider or a resolver stored in an instance.
  case containerGone(Context)
  /// The request scope has been closed, or the container shut down, and resolves no more instances.
  case containerClosed(Context)
  /// The request scope was made during or after the draining of the container, and resolves no
  /// instances. `withScope` makes no scope then, and throws the error before the body runs, with
  /// the key of a `Container`.
  case scopeRefused(Context)
  /// Building the instance at the end of the path needs the instance itself.
  case circularDependencyDetected(Context)
  /// The instance at the end of the path is nested too deeply: too little was left of the thread's
  /// stack to build the instance.
  case resolutionTooDeep(Context)
  /// The registration that ends the path is asynchronous, and a synchronous resolve would have to
  /// build the instance; or to wait for its task, on a thread that runs a task.
  case asyncResolutionRequired(Context)
  /// A `.scoped` registration was resolved outside of every request scope.
  case scopeRequired(Context)
  /// An input of request scopes was resolved outside of every scope, or in a scope made without the
  /// input, or with several values of the input's type.
  case scopeInputMissing(Context)
  /// A `.scoped` instance, or an input, was resolved for an instance that outlives the scope:
  /// ``Context/captor``.
  case captiveDependency(Context)
  /// The modifiers of the registration that ends the path contradict each other, or a modifier was
  /// refused: ``Context/underlyingError`` is the ``RegistrationError``.
  case invalidRegistration(Context)
  /// The factory of the registration that ends the path threw ``Context/underlyingError``.
  case underlyingError(Context)
  /// Eager singletons could not be built, or registrations are invalid: ``failures``. The context
  /// is the context of the first failure.
  case warmUpFailed(Context)
  /// An injected property has no value: ``Context/property``, declared at ``Context/declaration``.
  /// ``Context/underlyingError`` is the error of the resolve; `nil` if no container was found.
  case injectionFailed(Context)

  /// The details of the failure, for all cases.
  public var context: Context {
    switch self {
    case .noRegistrationFound(let context), .containerGone(let context),
      .containerClosed(let context), .scopeRefused(let context),
      .circularDependencyDetected(let context), .resolutionTooDeep(let context),
      .asyncResolutionRequired(let context), .scopeRequired(let context),
      .scopeInputMissing(let context), .captiveDependency(let context),
      .invalidRegistration(let context), .underlyingError(let context),
      .warmUpFailed(let context), .injectionFailed(let context):
      context
    }
  }

  /// The keys from the outermost resolve to the failed key.
  public var path: [RegistrationKey] { context.path }

  /// The failed key.
  public var key: RegistrationKey { context.key }

  /// The factory's error, if a factory ended the resolution; the ``RegistrationError`` of an
  /// invalid registration.
  public var underlyingError: (any Error)? { context.underlyingError }
}

extension ResolutionError {
  /// The error of a resolve in which the factory registered under `key` threw `error`.
  init(
    _ error: any Error, thrownBy key: RegistrationKey, at location: SourceLocation,
    _ kind: AskerKind
  ) {
    if let error = error as? ResolutionError, !error.tellsOfOthers {
      self = error.reached(from: key, at: location, kind)
    } else {
      self =
        (error as? ScopeInputFailure)?.error(key, location)
        ?? .underlyingError(Context(refusing: key, at: location, because: error))
    }
  }

  /// The error that leaves a decorator of `key`: a cycle if the decorator resolves its own key.
  func leavingDecorator(of key: RegistrationKey) -> ResolutionError {
    let isOfItself =
      context.isUnextendedCycle(of: key)
      || kind == .asyncResolutionRequired && context.isUnextended && self.key == key
    return isOfItself ? .circularDependencyDetected(Context(cycle: [key], .decorator)) : self
  }

  /// The error as seen by the factory of `key`, through which the error passes.
  ///
  /// - Parameters:
  ///   - location: the registration's location; `nil` if not at hand.
  ///   - kind: how the registration is written; meaningless without a location.
  func reached(
    from key: RegistrationKey, at location: SourceLocation?, _ kind: AskerKind = .factory
  ) -> ResolutionError {
    let context = Context(context, reachedFrom: key, at: location, kind)
    return switch self {
    case .noRegistrationFound: .noRegistrationFound(context)
    case .containerGone: .containerGone(context)
    case .containerClosed: .containerClosed(context)
    case .scopeRefused: .scopeRefused(context)
    case .circularDependencyDetected: .circularDependencyDetected(context)
    case .resolutionTooDeep: .resolutionTooDeep(context)
    case .asyncResolutionRequired: .asyncResolutionRequired(context)
    case .scopeRequired: .scopeRequired(context)
    case .scopeInputMissing: .scopeInputMissing(context)
    case .captiveDependency: .captiveDependency(context)
    case .invalidRegistration: .invalidRegistration(context)
    case .underlyingError: .underlyingError(context)
    case .warmUpFailed: .warmUpFailed(context)
    case .injectionFailed: .injectionFailed(context)
    }
  }

  /// Whether the error's text is made of the texts of wrapped errors.
  private var tellsOfOthers: Bool { kind == .warmUpFailed || kind == .injectionFailed }
}

extension ResolutionError: CustomStringConvertible {
  /// The whole message, several lines long. The hints name registrations as of the error's time.
  public var description: String {
    if context.isForComparison { return summary }
    if kind == .warmUpFailed { return textOfFailures(\.description) }
    if kind == .injectionFailed, underlyingError != nil { return textOfInjection(\.description) }
    return Namesakes.distinguishing(context.namedTypes) {
      ([text] + hints.map { "  hint: \($0)" }).joined(separator: "\n")
    }
  }

  /// The message without the hints, which name functions of Corinth: for compatibility modules.
  ///
  /// ```swift
  /// fatalError(error.summary)
  /// ```
  public var summary: String {
    if context.isForComparison { return "ResolutionError.\(kind)" }
    return Namesakes.distinguishing(context.namedTypes) { text }
  }

  private var text: String {
    if kind == .warmUpFailed { return textOfFailures(\.summary) }
    if kind == .injectionFailed { return textOfInjection(\.summary) }
    var lines = [firstLine] + (kind == .invalidRegistration ? context.faultLines : [])
    if let captor = context.captor, let location = context.captorLocation {
      lines.append("  \(captor) is registered at \(location)")
    }
    let showsPath = path.count > 1 && !isCircular
    if kind == .invalidRegistration {
      // The lines of the registration error say where.
    } else if let location = context.location {
      let isOne = !showsPath && context.captorLocation == nil
      lines.append("  \(isOne ? "" : "\(key) is ")registered at \(location)")
    } else if let asker = context.asker, let location = context.askerLocation, !isCircular {
      lines.append("  \(asker), which asks for it, is registered at \(location)")
    }
    if isCircular {
      lines += context.cycleLocations.map { "  \($0.key) is registered at \($0.location)" }
    }
    if showsPath { lines.append("  path: \(path.abbreviatedPathText)") }
    return lines.joined(separator: "\n")
  }

  var firstLine: String {
    switch self {
    case .noRegistrationFound: "Nothing is registered for \(key)."
    case .containerGone: "\(key) cannot be resolved: its container has been deallocated."
    case .containerClosed:
      context.note == .container
        ? "The container is closed." : "\(key) cannot be resolved: the container is closed."
    case .scopeRefused:
      context.note == .container
        ? "The container is shutting down or closed, and opens no scopes any more."
        : "\(key) cannot be resolved: its scope was made while the container shut down."
    case .circularDependencyDetected: "Circular dependency: \(path.pathText)."
    case .resolutionTooDeep:
      "\(key) is nested too deeply: \(path.count) levels leave too little of the thread's stack."
    case .asyncResolutionRequired:
      "\(key) is built asynchronously; resolve() cannot build it."
    case .scopeRequired:
      if context.note == .outerScope, let name = context.scopeName {
        "\(key) is scoped in \(name.value.literal), and is registered below the nearest request scope of that name, which would keep it longer than the registration."
      } else if let name = context.scopeName {
        "\(key) is scoped in \(name.value.literal), and was asked for outside of a request scope of that name."
      } else {
        "\(key) is scoped, and was asked for outside of a request scope."
      }
    case .scopeInputMissing:
      if let captor = context.captor {
        "\(captor) needs \(key) outside of every request scope."
      } else if context.note == .repetition {
        "\(key) is an input of request scopes, and was given more than once."
      } else if context.suggestions != nil {
        "\(key) is an input of request scopes, and was not given."
      } else {
        "\(key) is an input of request scopes, and was asked for outside of a request scope."
      }
    case .captiveDependency:
      "\(context.captor?.description ?? "A longer-lived instance") would keep \(key) beyond its request scope."
    case .invalidRegistration: "\(key) cannot be resolved: its registration is invalid."
    case .underlyingError where context.refusesArguments:
      "\(key) cannot be resolved: \(context.underlyingErrorText)"
    case .underlyingError, .warmUpFailed, .injectionFailed:
      "The factory of \(key) failed: \(context.underlyingErrorText)"
    }
  }

  /// Whether a factory asks for its own key directly.
  private var isCycleOfOne: Bool { path.count > 1 && path.suffix(2).first == path.last }

  private var isCircular: Bool { kind == .circularDependencyDetected }

  var hints: [String] {
    let suggestions = context.suggestions ?? []
    return switch self {
    case .noRegistrationFound, .containerClosed: suggestions
    case .containerGone: ["keep the container for as long as its instances resolve."]
    case .circularDependencyDetected where context.note == .decorator:
      ["a decorator of it resolves it: use the instance that the decorator is given."]
    case .circularDependencyDetected where context.note == .reload:
      [
        "another reload is under way, which may wait for this factory, action or disposer: reload in a task that it does not await."
      ]
    case .circularDependencyDetected where isCycleOfOne:
      [
        "its factory resolves the key that it is registered under: to wrap what is registered, use "
          + "`container.decorate(\(expression(of: key.product))) { inner, resolver in ... }`."
      ]
    case .circularDependencyDetected:
      ["let one of them hold a provider (resolver.provider(for:)) instead of the instance."]
    case .resolutionTooDeep:
      [
        "give the thread that resolves a larger stack, or have one of them hold a Lazy or a provider "
          + "(resolver.provider(for:)) instead of the instance."
      ]
    case .scopeRefused:
      [
        "tell the client that the service stops; work that has begun makes nested scopes of its own scope."
      ]
    case .asyncResolutionRequired:
      [hintAtAsyncResolution] + suggestions.map { "or \($0)" }
    case .scopeInputMissing:
      if let captor = context.captor {
        ["register \(captor) as .scoped, or pass \(key) to its functions."]
      } else if context.note == .repetition {
        [Self.hintAtRepeatedInput]
      } else {
        context.suggestions ?? [
          "resolve it from a request scope: `container.withScope(providing: value) { scope in ... }`."
        ]
      }
    case .scopeRequired where context.note == .outerScope:
      [
        "register it in that scope or outside of it, open a scope of the name below the registration, or register it as .scoped."
      ]
    case .scopeRequired:
      suggestions + [
        "open one with `container.withScope\(scopeNameArgument) { scope in ... }` and resolve, or take providers, from `scope`"
          + (context.scopeName == nil ? "." : " or a scope within it.")
      ]
    case .captiveDependency:
      [
        "register \(context.captor?.description ?? "that instance") as .\(scopeOfCaptive) too, or resolve \(key) from the scope "
          + "when it is needed."
      ]
    case .invalidRegistration: context.faultHints
    case .underlyingError where underlyingError is CancellationError:
      ["the task that resolves was cancelled, or a task that the factory awaits."]
    case .underlyingError, .warmUpFailed: []
    case .injectionFailed:
      [
        "set Container.lookupPolicy, make the enclosing type Containerized, or name a policy: @Injected(from: ...)."
      ]
    }
  }

  private var scopeNameArgument: String {
    context.scopeName.map { "(named: \($0.value.literal))" } ?? ""
  }

  private var scopeOfCaptive: AnyScope {
    context.scopeName.map { .scoped(in: $0.value) } ?? .scoped
  }

  private var hintAtAsyncResolution: String {
    guard let asker = context.askerToAwait else { return "use `try await resolveAsync(...)`." }
    return Self.hint(atAwaitingIn: asker.key, asker.kind, at: " (\(asker.location))")
  }

  /// How a registration that depends on an asynchronous one is to be written.
  ///
  /// - Parameter place: follows the first mention of the registration.
  static func hint(
    atAwaitingIn asker: RegistrationKey, _ kind: AskerKind, at place: String = ""
  ) -> String {
    switch kind {
    case .wired:
      "use wireAsync in place of wire for \(asker)\(place): wireAsync awaits the parameters."
    case .asynchronous:
      "\(asker) is asynchronous already\(place): `try await resolver.resolveAsync(...)` there."
    case .factory, .forward:
      "register \(asker) with registerAsync too\(place), and have its factory `try await "
        + "resolver.resolveAsync(...)`."
    }
  }

  static var hintAtRepeatedInput: String {
    "give each of them a type of its own: a resolve cannot tell which one is meant."
  }
}

/// Thrown by the registration of an input, which does not have its own key and location.
struct ScopeInputFailure: Error {
  let error: @Sendable (RegistrationKey, SourceLocation) -> ResolutionError
}

extension ResolutionError {
  /// The error of a resolve declared to throw any error.
  init(ofResolve error: any Error) {
    guard let error = error as? ResolutionError else {
      preconditionFailure(
        "ResolutionError.init(ofResolve:): a resolve must throw a ResolutionError")
    }
    self = error
  }
}
