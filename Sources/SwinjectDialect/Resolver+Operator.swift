// SPDX-License-Identifier: MIT

// SwinjectAutoregistration: a service that is registered for certain.

postfix operator ~>
infix operator ~>

/// Resolves a service of the type that is expected; ends the program if it is not registered.
public postfix func ~> <Service>(r: any Resolver) -> Service { r.resolve(Service.self)! }

/// Resolves a service; ends the program if it is not registered.
public func ~> <Service>(r: any Resolver, service: Service.Type) -> Service {
  r.resolve(service)!
}

/// Resolves a service by its name; ends the program if it is not registered.
public func ~> <Service>(r: any Resolver, o: (service: Service.Type, name: String)) -> Service {
  r.resolve(o.service, name: o.name)!
}

/// Resolves a service with an argument; ends the program if it is not registered.
public func ~> <Service, A>(r: any Resolver, o: (service: Service.Type, argument: A)) -> Service {
  r.resolve(o.service, argument: o.argument)!
}

/// Resolves a service by its name, with an argument; ends the program if it is not registered.
public func ~> <Service, A>(
  r: any Resolver, o: (service: Service.Type, name: String, argument: A)
) -> Service { r.resolve(o.service, name: o.name, argument: o.argument)! }

/// Resolves a service with two arguments; ends the program if it is not registered.
public func ~> <Service, A, B>(r: any Resolver, o: (Service.Type, arguments: (A, B))) -> Service {
  r.resolve(o.0, arguments: o.arguments.0, o.arguments.1)!
}

/// Resolves a service by its name, with two arguments; ends the program if it is not registered.
public func ~> <Service, A, B>(
  r: any Resolver, o: (Service.Type, name: String, arguments: (A, B))
) -> Service { r.resolve(o.0, name: o.name, arguments: o.arguments.0, o.arguments.1)! }

/// Resolves a service with three arguments; ends the program if it is not registered.
public func ~> <Service, A, B, C>(
  r: any Resolver, o: (Service.Type, arguments: (A, B, C))
) -> Service { r.resolve(o.0, arguments: o.arguments.0, o.arguments.1, o.arguments.2)! }

/// Resolves a service by its name, with three arguments; ends the program if it is not registered.
public func ~> <Service, A, B, C>(
  r: any Resolver, o: (Service.Type, name: String, arguments: (A, B, C))
) -> Service {
  r.resolve(o.0, name: o.name, arguments: o.arguments.0, o.arguments.1, o.arguments.2)!
}

/// The former form of the one whose arguments are a tuple.
@available(
  *, deprecated, message: "Use a tuple of arguments: (service, name: name, arguments: (a, b))"
)
public func ~> <Service, A, B>(
  r: any Resolver, o: (Service.Type, name: String, arguments: A, B)
) -> Service { r.resolve(o.0, name: o.1, arguments: o.2, o.3)! }

/// The former form of the one whose arguments are a tuple.
@available(*, deprecated, message: "Use a tuple of arguments: (service, arguments: (a, b, c))")
public func ~> <Service, A, B, C>(
  r: any Resolver, o: (Service.Type, arguments: A, B, C)
) -> Service { r.resolve(o.0, arguments: o.1, o.2, o.3)! }

/// The former form of the one whose arguments are a tuple.
@available(
  *, deprecated, message: "Use a tuple of arguments: (service, name: name, arguments: (a, b, c))"
)
public func ~> <Service, A, B, C>(
  r: any Resolver, o: (Service.Type, name: String, arguments: A, B, C)
) -> Service { r.resolve(o.0, name: o.1, arguments: o.2, o.3, o.4)! }
