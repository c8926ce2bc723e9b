// SPDX-License-Identifier: MIT
// The samples of DIC's document: register, load, build.

// snippet.show
import DICDialect

struct Example1 { let value: Int }
final class DatabaseService {}
final class OtherDependency {}

protocol UserRepository: AnyObject {}
final class DefaultUserRepository: UserRepository {
  init(otherDependency: OtherDependency) {}
}

let container = DependencyInjectionContainer()
container.register { Example1(value: 1) }
container.register(OtherDependency())
container.register(
  DefaultUserRepository(otherDependency: container.load()), as: UserRepository.self)
container.registerSingleton(DatabaseService())

let example: Example1 = container.load()
let repository = container.load(UserRepository.self)
let isOne = container.load(DatabaseService.self) === container.load(DatabaseService.self)
print(example.value, type(of: repository), isOne)

// A container that never changes.
let builder = DICBuilder()
  .register { Example1(value: 2) }
  .registerSingleton { DatabaseService() }
let built = builder.build()
builder.register { Example1(value: 3) }
print(built.load(Example1.self).value, builder.build().load(Example1.self).value)

// Initializers that fail, throw or wait.
container.register(Int("not a number"))
let number = container.loadOrNil(Int.self)
let asynchronous = AsyncDependencyInjectionContainer()
asynchronous.registerAsync { await Task { "later" }.value }
let text: String = await asynchronous.loadAsync()
print(number ?? -1, text)
// snippet.hide
precondition(example.value == 1 && repository is DefaultUserRepository && isOne)
precondition(built.load(Example1.self).value == 2)
precondition(builder.build().load(Example1.self).value == 3)
precondition(number == nil && text == "later")
