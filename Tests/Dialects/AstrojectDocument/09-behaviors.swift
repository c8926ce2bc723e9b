// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import Astroject

class LoggingBehavior: Behavior {
    func didRegister<Product>(
        type: Product.Type,
        to container: Container,
        as registration: Registration<Product>,
        with name: String?
    ) {
        print("Registered \(type) with name: \(name ?? "nil")")
    }
}

let container = Container()
container.add(LoggingBehavior())

// Output: Registered Int with name: 42
try container.register(Int.self, name: "42") { _ in 42 }
