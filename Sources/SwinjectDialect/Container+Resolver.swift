// SPDX-License-Identifier: MIT

extension Container: Resolver {
  public func resolve<Service>(_ serviceType: Service.Type) -> Service? {
    resolve(serviceType, name: nil)
  }

  public func resolve<Service>(_ serviceType: Service.Type, name: String?) -> Service? {
    _resolve(name: name) { (factory: (any Resolver) -> Any) in factory(self) }
  }

  public func resolve<Service, Arg1>(_ serviceType: Service.Type, argument: Arg1) -> Service? {
    resolve(serviceType, name: nil, argument: argument)
  }

  public func resolve<Service, Arg1>(_ serviceType: Service.Type, name: String?, argument: Arg1)
    -> Service?
  {
    _resolve(name: name) { (factory: ((any Resolver, Arg1)) -> Any) in factory((self, argument)) }
  }

  public func resolve<Service, Arg1, Arg2>(
    _ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2
  ) -> Service? {
    resolve(serviceType, name: nil, arguments: arg1, arg2)
  }

  public func resolve<Service, Arg1, Arg2>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2
  ) -> Service? {
    _resolve(name: name) { (factory: ((any Resolver, Arg1, Arg2)) -> Any) in
      factory((self, arg1, arg2))
    }
  }

  public func resolve<Service, Arg1, Arg2, Arg3>(
    _ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3
  ) -> Service? {
    resolve(serviceType, name: nil, arguments: arg1, arg2, arg3)
  }

  public func resolve<Service, Arg1, Arg2, Arg3>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3
  ) -> Service? {
    _resolve(name: name) { (factory: ((any Resolver, Arg1, Arg2, Arg3)) -> Any) in
      factory((self, arg1, arg2, arg3))
    }
  }

  public func resolve<Service, Arg1, Arg2, Arg3, Arg4>(
    _ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3, _ arg4: Arg4
  ) -> Service? {
    resolve(serviceType, name: nil, arguments: arg1, arg2, arg3, arg4)
  }

  public func resolve<Service, Arg1, Arg2, Arg3, Arg4>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3,
    _ arg4: Arg4
  ) -> Service? {
    _resolve(name: name) { (factory: ((any Resolver, Arg1, Arg2, Arg3, Arg4)) -> Any) in
      factory((self, arg1, arg2, arg3, arg4))
    }
  }

  public func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5>(
    _ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3, _ arg4: Arg4,
    _ arg5: Arg5
  ) -> Service? {
    resolve(serviceType, name: nil, arguments: arg1, arg2, arg3, arg4, arg5)
  }

  public func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3,
    _ arg4: Arg4, _ arg5: Arg5
  ) -> Service? {
    _resolve(name: name) { (factory: ((any Resolver, Arg1, Arg2, Arg3, Arg4, Arg5)) -> Any) in
      factory((self, arg1, arg2, arg3, arg4, arg5))
    }
  }

  public func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6>(
    _ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3, _ arg4: Arg4,
    _ arg5: Arg5, _ arg6: Arg6
  ) -> Service? {
    resolve(serviceType, name: nil, arguments: arg1, arg2, arg3, arg4, arg5, arg6)
  }

  public func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3,
    _ arg4: Arg4, _ arg5: Arg5, _ arg6: Arg6
  ) -> Service? {
    _resolve(name: name) { (factory: ((any Resolver, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6)) -> Any) in
      factory((self, arg1, arg2, arg3, arg4, arg5, arg6))
    }
  }

  public func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6, Arg7>(
    _ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3, _ arg4: Arg4,
    _ arg5: Arg5, _ arg6: Arg6, _ arg7: Arg7
  ) -> Service? {
    resolve(serviceType, name: nil, arguments: arg1, arg2, arg3, arg4, arg5, arg6, arg7)
  }

  public func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6, Arg7>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3,
    _ arg4: Arg4, _ arg5: Arg5, _ arg6: Arg6, _ arg7: Arg7
  ) -> Service? {
    _resolve(name: name) {
      (factory: ((any Resolver, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6, Arg7)) -> Any) in
      factory((self, arg1, arg2, arg3, arg4, arg5, arg6, arg7))
    }
  }

  public func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6, Arg7, Arg8>(
    _ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3, _ arg4: Arg4,
    _ arg5: Arg5, _ arg6: Arg6, _ arg7: Arg7, _ arg8: Arg8
  ) -> Service? {
    resolve(serviceType, name: nil, arguments: arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8)
  }

  public func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6, Arg7, Arg8>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3,
    _ arg4: Arg4, _ arg5: Arg5, _ arg6: Arg6, _ arg7: Arg7, _ arg8: Arg8
  ) -> Service? {
    _resolve(name: name) {
      (factory: ((any Resolver, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6, Arg7, Arg8)) -> Any) in
      factory((self, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8))
    }
  }

  public func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6, Arg7, Arg8, Arg9>(
    _ serviceType: Service.Type, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3, _ arg4: Arg4,
    _ arg5: Arg5, _ arg6: Arg6, _ arg7: Arg7, _ arg8: Arg8, _ arg9: Arg9
  ) -> Service? {
    resolve(serviceType, name: nil, arguments: arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9)
  }

  public func resolve<Service, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6, Arg7, Arg8, Arg9>(
    _ serviceType: Service.Type, name: String?, arguments arg1: Arg1, _ arg2: Arg2, _ arg3: Arg3,
    _ arg4: Arg4, _ arg5: Arg5, _ arg6: Arg6, _ arg7: Arg7, _ arg8: Arg8, _ arg9: Arg9
  ) -> Service? {
    _resolve(name: name) {
      (factory: ((any Resolver, Arg1, Arg2, Arg3, Arg4, Arg5, Arg6, Arg7, Arg8, Arg9)) -> Any) in
      factory((self, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9))
    }
  }
}
