// SPDX-License-Identifier: MIT

public import SwinjectDialect

// Operators for services that are certainly registered.

postfix operator ~>
infix operator ~>

/// Resolves a service of the expected type; ends the program if the service is not registered.
public postfix func ~> <S>(r: any Resolver) -> S { r.resolve(S.self)! }

/// Resolves a service; ends the program if the service is not registered.
public func ~> <S>(r: any Resolver, service: S.Type) -> S { r.resolve(service)! }

/// Resolves a service by name; ends the program if the service is not registered.
public func ~> <S>(r: any Resolver, o: (service: S.Type, name: String)) -> S {
  r.resolve(o.service, name: o.name)!
}

/// Resolves a service with an argument; ends the program if the service is not registered.
public func ~> <S, A>(r: any Resolver, o: (service: S.Type, argument: A)) -> S {
  r.resolve(o.service, argument: o.argument)!
}

/// Resolves a service by name, with an argument; ends the program if the service is not registered.
public func ~> <S, A>(r: any Resolver, o: (service: S.Type, name: String, argument: A)) -> S {
  r.resolve(o.service, name: o.name, argument: o.argument)!
}

/// Resolves a service with two arguments; ends the program if the service is not registered.
public func ~> <S, A, B>(r: any Resolver, o: (S.Type, arguments: (A, B))) -> S {
  r.resolve(o.0, arguments: o.arguments.0, o.arguments.1)!
}

/// Resolves a service by name, with two arguments; ends the program if the service is not
/// registered.
public func ~> <S, A, B>(r: any Resolver, o: (S.Type, name: String, arguments: (A, B))) -> S {
  r.resolve(o.0, name: o.name, arguments: o.arguments.0, o.arguments.1)!
}

/// Resolves a service with three arguments; ends the program if the service is not registered.
public func ~> <S, A, B, C>(r: any Resolver, o: (S.Type, arguments: (A, B, C))) -> S {
  r.resolve(o.0, arguments: o.arguments.0, o.arguments.1, o.arguments.2)!
}

/// Resolves a service by name, with three arguments; ends the program if the service is not
/// registered.
public func ~> <S, A, B, C>(
  r: any Resolver, o: (S.Type, name: String, arguments: (A, B, C))
) -> S {
  r.resolve(o.0, name: o.name, arguments: o.arguments.0, o.arguments.1, o.arguments.2)!
}

/// The former form of the operator, with two arguments outside of a tuple, and a name.
@available(*, deprecated, message: "Use a tuple: (service, name: name, arguments: (a, b))")
public func ~> <S, A, B>(r: any Resolver, o: (S.Type, name: String, arguments: A, B)) -> S {
  r.resolve(o.0, name: o.1, arguments: o.2, o.3)!
}

/// The former form of the operator, with three arguments outside of a tuple.
@available(*, deprecated, message: "Use a tuple: (service, arguments: (a, b, c))")
public func ~> <S, A, B, C>(r: any Resolver, o: (S.Type, arguments: A, B, C)) -> S {
  r.resolve(o.0, arguments: o.1, o.2, o.3)!
}

/// The former form of the operator, with three arguments outside of a tuple, and a name.
@available(*, deprecated, message: "Use a tuple: (service, name: name, arguments: (a, b, c))")
public func ~> <S, A, B, C>(r: any Resolver, o: (S.Type, name: String, arguments: A, B, C)) -> S {
  r.resolve(o.0, name: o.1, arguments: o.2, o.3, o.4)!
}
