// SPDX-License-Identifier: MIT

import BenchmarkSupport
import SwiftInjectionsDialect

extension Operation {
  /// The loop of an operation through SwiftInjections' interface.
  func makeSwiftInjectionsLoop() -> Loop {
    let objects = Objects.instance()
    switch self {
    case .swiftInjectionsPrototype:
      return { count in
        for _ in 0..<count { blackHole(objects.prototype) }
      }
    case .swiftInjectionsSingleton:
      return { count in
        for _ in 0..<count { blackHole(objects.singleton) }
      }
    default:
      return { count in
        for _ in 0..<count { blackHole(objects.node) }
      }
    }
  }
}

private final class Objects: Assembly {
  var prototype: Leaf {
    define(withScope: .Prototype) { (definition) in definition *~> Leaf(state: 1) }
  }

  var singleton: Service {
    define(withScope: .Singleton) { (definition) in definition *~> Service() }
  }

  var node: Node {
    define { (definition) in
      let node = definition *~> Node()
      node.leaf = self.leaf
      return node
    }
  }

  var leaf: Leaf {
    define { (definition) in definition *~> Leaf(state: 1) }
  }
}
