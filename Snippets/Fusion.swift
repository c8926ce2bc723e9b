// SPDX-License-Identifier: MIT
// The samples of Fusion's document: bind, resolve, inject.

// snippet.show
import FusionDialect

protocol Logger { func log(_ text: String) -> String }
struct RemoteLogger: Logger {
  func log(_ text: String) -> String { "remote: \(text)" }
}
struct ConsoleLogger: Logger {
  func log(_ text: String) -> String { "console: \(text)" }
}

struct CreateAccountView {
  @Inject var logger: Logger
  func createAccount(for email: String) -> String {
    logger.log("Creating an account for \(email).")
  }
}

Container.bind(Logger.self, value: RemoteLogger())
let view = CreateAccountView()
let first = view.createAccount(for: "ada")
Container.bind(Logger.self, value: ConsoleLogger())
let second = view.createAccount(for: "ada")
print(first, second)

// Identifiers, and a child that asks the parent.
let parent = Container()
let child = Container(parent: parent)
parent.bind(.singleton, id: "port", value: 8080)
child.bind(value: "foo")
let port = child.resolve(Int.self, id: "port")
let missing = parent.resolve(String.self)
print(port ?? 0, missing ?? "nil; parents do not have access to their children's services")

// An object with a container of its own.
final class MyEnclosingType: Containerized {
  let container: Container
  @Inject var string: String
  @Inject("port") var port: Int

  init(container: Container) { self.container = container }
}
let object = MyEnclosingType(container: child)
print(object.string, object.port)
// snippet.hide
precondition(first == "remote: Creating an account for ada.")
precondition(second == "console: Creating an account for ada.")
precondition(port == 8080 && missing == nil && object.string == "foo" && object.port == 8080)
