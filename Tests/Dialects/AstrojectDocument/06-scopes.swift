// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import Astroject

class MyClass {
    init() {
        print("MyClass initialized")
    }
}

let container = Container()

// The samples of the three scopes, each inside of a `do`.
print("prototype")
do {
    try container.register(MyClass.self, name: "prototype") { _ in
        MyClass()
    }

    // Output: MyClass initialized
    let prototypeInstance1: MyClass = try container.resolve(MyClass.self, name: "prototype")

    // Output: MyClass initialized (new instance)
    let prototypeInstance2: MyClass = try container.resolve(MyClass.self, name: "prototype")
    print(prototypeInstance1 === prototypeInstance2)
}

print("singleton")
do {
    try container.register(MyClass.self) { _ in
        MyClass()
    }
    .asSingleton()

    // Output: MyClass initialized
    let instance1: MyClass = try container.resolve(MyClass.self)

    // No output (same instance)
    let instance2: MyClass = try container.resolve(MyClass.self)
    print(instance1 === instance2)
}

print("weak")
do {
    try container.register(MyClass.self) { _ in
        MyClass()
    }
    .asWeak()

    // Output: MyClass initialized
    var instance1: MyClass? = try container.resolve(MyClass.self)
    // No output (same instance)
    var instance2: MyClass? = try container.resolve(MyClass.self)

    // Release instance1 reference
    instance1 = nil

    // No output (same instance) because instance2 was not deallocated
    var instance3: MyClass? = try container.resolve(MyClass.self)

    // Release instance 2 & 3 reference
    instance2 = nil
    instance3 = nil

    // Output: MyClass initialized
    let instance4: MyClass = try container.resolve(MyClass.self)
    print(instance3 === instance4)
}
