// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import Astroject

protocol Service {
    func doSomething()
}

class ConcreteService: Service {
    func doSomething() {}
}

let container = Container()

// Register a dependency
try container.register(Service.self) { _ in
    ConcreteService()
}

// Resolve the dependency
let service: Service = try container.resolve(Service.self)
service.doSomething()

// The sample ends here.
print(type(of: service))
