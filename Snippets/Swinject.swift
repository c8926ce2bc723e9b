// SPDX-License-Identifier: MIT
// A module with Swinject's interface and a module with Corinth's, on one container.

// snippet.show
import Corinth
import SwinjectDialect

protocol Engine: AnyObject, Sendable {}
final class Diesel: Engine {}

final class Car: Sendable {
  let engine: Engine
  init(engine: Engine) { self.engine = engine }
}

final class Garage {
  let car: Car
  init(car: Car) { self.car = car }
}

// A module that has not been moved yet.

final class EngineAssembly: SwinjectDialect.Assembly {
  func assemble(container: SwinjectDialect.Container) {
    container.register(Engine.self) { _ in Diesel() }.inObjectScope(.container)
  }
}

// A moved module registers with Corinth's interface, and resolves a service of the first module.

func registerCars(in container: Corinth.Container) throws {
  try container.register(Car.self, scope: .singleton) { resolver in
    Car(engine: try resolver.resolve(Engine.self))
  }
}

// A module that has not been moved yet resolves a service of the moved module.

final class GarageAssembly: SwinjectDialect.Assembly {
  func assemble(container: SwinjectDialect.Container) {
    container.register(Garage.self) { r in Garage(car: r.resolve(Car.self)!) }
  }
}

let container = SwinjectDialect.Container()
let assembler = SwinjectDialect.Assembler(
  [EngineAssembly(), GarageAssembly()], container: container)
try registerCars(in: container.corinth)

let garage = assembler.resolver.resolve(Garage.self)!
let car = try container.corinth.resolve(Car.self)
print(garage.car === car, car.engine === container.resolve(Engine.self))
// snippet.hide
precondition(garage.car === car && car.engine === container.resolve(Engine.self))
