// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import Astroject

class MyAssembly: Assembly {
    func assemble(container: Container) {
        try? container.register(String.self) { _ in "Hello, Astroject!" }
    }

    func loaded(resolver: Resolver) {
        if let message: String = try? resolver.resolve(String.self) {
            print("Assembly loaded with message: \(message)")
        }
    }
}

let container = Container()
let assembler = Assembler(container: container)
// Output: Assembly loaded with message: Hello, Astroject!
assembler.apply(assembly: MyAssembly())

let message: String = try container.resolve(String.self)
// Output: Hello, Astroject!
print(message)
