// SPDX-License-Identifier: MIT

import BenchmarkSupport
import SwinjectDialect

extension Operation {
  /// The loop of an operation through Swinject's interface.
  func makeSwinjectLoop() -> Loop {
    let container = Container()
    switch self {
    case .swinjectContainer:
      container.register(Service.self) { _ in Service() }.inObjectScope(.container)
      return { count in
        for _ in 0..<count { blackHole(container.resolve(Service.self)) }
      }
    case .swinjectNamed:
      container.register(Service.self, name: "primary") { _ in Service() }.inObjectScope(.container)
      return { count in
        for _ in 0..<count { blackHole(container.resolve(Service.self, name: "primary")) }
      }
    case .swinjectTransient:
      container.register(Leaf.self) { _ in Leaf(state: 1) }.inObjectScope(.transient)
      return { count in
        for _ in 0..<count { blackHole(container.resolve(Leaf.self)) }
      }
    case .swinjectArgument:
      container.register(Leaf.self) { (_, state: Int) in Leaf(state: state) }
        .inObjectScope(.transient)
      return { count in
        for index in 0..<count { blackHole(container.resolve(Leaf.self, argument: index)) }
      }
    case .swinjectGraph:
      container.register(Leaf.self) { _ in Leaf(state: 1) }
      container.register(Node.self) { r in Node(r.resolve(Leaf.self)!) }
      return { count in
        for _ in 0..<count { blackHole(container.resolve(Node.self)) }
      }
    default:
      return { count in
        for _ in 0..<count { blackHole(container.resolve(Unregistered.self)) }
      }
    }
  }
}
