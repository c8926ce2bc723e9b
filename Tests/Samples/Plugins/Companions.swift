// SPDX-License-Identifier: MIT

import Corinth
import CorinthConfiguration
import CorinthDrawing
import CorinthTesting
import CorinthTimeline
import SwinjectDialect
import Testing

/// A program that uses modules beside the main one, all of one library.
@main
struct Companions {
  static func main() throws {
    let container = Corinth.Container()
    let timeline = Timeline(of: container)
    try container.register(resource: .json(#"{"port": 80}"#, named: "defaults"))
    try container.register(String.self, scope: .singleton) { resolver in
      "port \(try resolver.property("port", as: Int.self))"
    }
    try container.register(Double.self, factory: unimplemented(Double.self))
    print(try container.resolve(String.self))
    timeline.stop()
    precondition(container.graph().mermaid().contains("String"))
    let other = SwinjectDialect.Container()
    other.register(Int.self) { _ in 81 }
    print(other.resolve(Int.self) ?? 0)
  }
}
