// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import AstrojectDialect
import Synchronization
import TestSupport
import XCTest

private let output = EventLog()

/// What the samples print is looked at.
private func print(_ line: String) { output.add(line) }

/// The samples of the Astroject document in Swift 6 mode. `Tests/Dialects/AstrojectDocument` has
/// them as they are, and says which lines had to change, and why.
final class DocumentTests: XCTestCase {
    private func printed(_ body: () throws -> Void) rethrows -> [String] {
        let before = output.entries.count
        try body()
        return Array(output.entries.dropFirst(before))
    }

    func testBasicRegistrationAndResolution() throws {
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
        XCTAssertTrue(service is ConcreteService)
    }

    @MainActor
    func testAsynchronousRegistrationAndResolution() async throws {
        let container = Container()

        // Register an asynchronous dependency
        try container.registerAsync(AsyncService.self) { _ in
            await ConcreteAsyncService()
        }

        // Resolve the dependency asynchronously
        let asyncService: AsyncService = try await container.resolveAsync(AsyncService.self)
        asyncService.doWork()
        let isConcrete = asyncService is ConcreteAsyncService
        XCTAssertTrue(isConcrete)
        XCTAssertThrowsError(try container.resolve(AsyncService.self)) {
            XCTAssertEqual($0 as? ResolutionError, .asyncResolutionRequired)
        }
    }

    func testNamedRegistrationsAndResolution() throws {
        protocol Database {
            func connect()
        }

        class MySQLDatabase: Database {
            func connect() {}
        }

        class PostgreSQLDatabase: Database {
            func connect() {}
        }

        let container = Container()

        try container.register(Database.self, name: "mysql") { _ in
            MySQLDatabase()
        }

        try container.register(Database.self, name: "postgresql") { _ in
            PostgreSQLDatabase()
        }

        let mysql: Database = try container.resolve(Database.self, name: "mysql")
        mysql.connect()

        let postgresql: Database = try container.resolve(Database.self, name: "postgresql")
        postgresql.connect()
        XCTAssertTrue(mysql is MySQLDatabase)
        XCTAssertTrue(postgresql is PostgreSQLDatabase)
        XCTAssertThrowsError(try container.resolve(Database.self)) {
            XCTAssertEqual($0 as? ResolutionError, .noRegistrationFound)
        }
    }

    func testOverridingRegistrations() throws {
        let container = Container()
        try container.register(Int.self) { _ in 42 }
        try container.register(Int.self) { _ in 99 }
        let value = try container.resolve(Int.self) // Returns 99
        XCTAssertEqual(value, 99)
    }

    func testPreventingAnOverride() throws {
        let container = Container()
        try container.register(Int.self, overridable: false) { _ in 42}
        XCTAssertThrowsError(
            try container.register(Int.self) { _ in 99 } // Fails and throws an error
        ) { XCTAssertEqual($0 as? RegistrationError, .alreadyRegistered) }
        XCTAssertEqual(try container.resolve(Int.self), 42)
    }

    final class MyClass: Sendable {
        init() {
            print("MyClass initialized")
        }
    }

    func testThePrototypeScope() throws {
        let container = Container()
        try container.register(MyClass.self, name: "prototype") { _ in
            MyClass()
        }

        let lines = try printed {
            // Output: MyClass initialized
            let prototypeInstance1: MyClass = try container.resolve(MyClass.self, name: "prototype")

            // Output: MyClass initialized (new instance)
            let prototypeInstance2: MyClass = try container.resolve(MyClass.self, name: "prototype")
            XCTAssertFalse(prototypeInstance1 === prototypeInstance2)
        }
        XCTAssertEqual(lines, ["MyClass initialized", "MyClass initialized"])
    }

    func testTheSingletonScope() throws {
        let container = Container()
        try container.register(MyClass.self) { _ in
            MyClass()
        }
        .asSingleton()

        let lines = try printed {
            // Output: MyClass initialized
            let instance1: MyClass = try container.resolve(MyClass.self)

            // No output (same instance)
            let instance2: MyClass = try container.resolve(MyClass.self)
            XCTAssertTrue(instance1 === instance2)
        }
        XCTAssertEqual(lines, ["MyClass initialized"])
    }

    func testTheWeakScope() throws {
        let container = Container()
        try container.register(MyClass.self) { _ in
            MyClass()
        }
        .asWeak()

        var instances: [MyClass?] = [nil, nil, nil]
        XCTAssertEqual(
            try printed {
                // Output: MyClass initialized
                instances[0] = try container.resolve(MyClass.self)
                // No output (same instance)
                instances[1] = try container.resolve(MyClass.self)
            }, ["MyClass initialized"])

        // Release instance1 reference
        instances[0] = nil

        XCTAssertEqual(
            try printed {
                // No output (same instance) because instance2 was not deallocated
                instances[2] = try container.resolve(MyClass.self)
            }, [])
        XCTAssertTrue(instances[1] === instances[2])

        // Release instance 2 & 3 reference
        instances = []

        XCTAssertEqual(
            try printed {
                // Output: MyClass initialized
                let instance4: MyClass = try container.resolve(MyClass.self)
                withExtendedLifetime(instance4) {}
            }, ["MyClass initialized"])
    }

    func testCustomScopesAndComposites() throws {
        final class ExampleInstance: Instance {
            private let product = Mutex<Int?>(nil)
            func get() -> Int? { product.withLock { $0 } }
            func set(_ product: Int) { self.product.withLock { $0 = product } }
            func release() { product.withLock { $0 = nil } }
        }

        let container = Container()
        let built = AtomicCounter(41)

        // Insert through `as` function
        try container.register(Int.self) { _ in built.add() }.as(ExampleInstance())
        XCTAssertEqual(try container.resolve(Int.self), 42)
        XCTAssertEqual(try container.resolve(Int.self), 42)

        let composite = Composite([ExampleInstance(), Weak()])
        try container.register(Int.self) { _ in built.add() }.as { composite }
        XCTAssertEqual(try container.resolve(Int.self), 43)
        XCTAssertEqual(try container.resolve(Int.self), 43)
        composite.release()
        XCTAssertEqual(try container.resolve(Int.self), 44)
    }

    func testConvenienceFunctionsOfRegistrable() throws {
        let container = Container()
        let built = AtomicCounter()
        try container.register(Int.self) { _ in built.add() }.exampleInstance()
        XCTAssertEqual(try container.resolve(Int.self), 1)
        XCTAssertEqual(try container.resolve(Int.self), 1)
        let registrable: any Registrable<Int> = try container.register(Int.self) { _ in built.add() }
        registrable.asSingleton().asPrototype().exampleInstance()
        XCTAssertEqual(try container.resolve(Int.self), 2)
        XCTAssertEqual(try container.resolve(Int.self), 2)
    }

    func testBehaviors() throws {
        final class LoggingBehavior: Behavior {
            func didRegister<Product>(
                type: Product.Type,
                to container: Container,
                as registration: Registration<Product>,
                with name: String?
            ) {
                print("Registered \(type) with name: \(name ?? "nil")")
            }
        }

        let lines = try printed {
            let container = Container()
            container.add(LoggingBehavior())

            // Output: Registered Int with name: 42
            try container.register(Int.self, name: "42") { _ in 42 }
        }
        XCTAssertEqual(lines, ["Registered Int with name: 42"])
    }

    func testAssemblies() throws {
        class MyAssembly: Assembly {
            func assemble(container: Container) {
                _ = try? container.register(String.self) { _ in "Hello, Astroject!" }
            }

            func loaded(resolver: Resolver) {
                if let message: String = try? resolver.resolve(String.self) {
                    print("Assembly loaded with message: \(message)")
                }
            }
        }

        let container = Container()
        let assembler = Assembler(container: container)
        let lines = try printed {
            // Output: Assembly loaded with message: Hello, Astroject!
            assembler.apply(assembly: MyAssembly())

            let message: String = try container.resolve(String.self)
            // Output: Hello, Astroject!
            print(message)
        }
        XCTAssertEqual(lines, ["Assembly loaded with message: Hello, Astroject!", "Hello, Astroject!"])
    }
}

private final class ExampleInstance<Product: Sendable>: Instance {
    private let product = Mutex<Product?>(nil)
    func get() -> Product? { product.withLock { $0 } }
    func set(_ product: Product) { self.product.withLock { $0 = product } }
    func release() { product.withLock { $0 = nil } }
}

extension Registrable where Product: Sendable {
@discardableResult
fileprivate func exampleInstance() -> Self {
    self.as(ExampleInstance())
}
}

@MainActor
private protocol AsyncService {
    func doWork()
}

@MainActor
private class ConcreteAsyncService: AsyncService {
    init() {}
    func doWork() {}
}
