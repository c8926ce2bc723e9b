// SPDX-License-Identifier: MIT
// Documents, pages and flowcharts of containers, for Scripts/check-graph-page: GraphPages PACKAGES
// FOLDER.

import Corinth
import CorinthDrawing
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  print("usage: GraphPages PACKAGES FOLDER")
  exit(2)
}
let folder = URL(fileURLWithPath: arguments[2])

func write(_ document: GraphDocument, as name: String) throws {
  for (text, type) in [
    (document.json(), "json"), (document.page(), "html"), (document.graph.mermaid(), "mmd"),
  ] {
    try text.write(
      to: folder.appendingPathComponent("\(name).\(type)"), atomically: true, encoding: .utf8)
  }
}

let packages = try String(contentsOfFile: arguments[1], encoding: .utf8)
let debian = try Packages(packages).makeContainer()
try write(
  GraphDocument(of: debian.container, counts: debian.metrics.snapshot()), as: "debian")
try write(
  GraphDocument(
    debian.container.graph().dependencies(of: .init(Package.self, name: "postgresql"))),
  as: "part")

let shop = try await Shop.make()
try await shop.container.withScope(providing: Customer(name: "ada")) { scope in
  _ = try scope.resolve(Basket.self)
  _ = try? scope.resolve(Parcel.self)
  try write(
    GraphDocument(
      of: shop.container, counts: shop.metrics.snapshot(), timeline: shop.timeline), as: "shop")
}

let unconnected = Container()
for number in 0..<40 { try unconnected.register(value: number, name: Name("\(number)")) }
try write(GraphDocument(unconnected.graph()), as: "unconnected")
try write(GraphDocument(of: try Ring.make()), as: "ring")
try write(GraphDocument(of: try Texts.make()), as: "texts")
try write(GraphDocument(of: Container()), as: "none")
