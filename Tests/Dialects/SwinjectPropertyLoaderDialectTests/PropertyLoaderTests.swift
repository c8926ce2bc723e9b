// SPDX-License-Identifier: MIT

import Foundation
import SwinjectDialect
import SwinjectPropertyLoaderDialect
import Testing

private struct Loader: PropertyLoader {
  let properties: [String: Any]

  func load() throws -> [String: Any] { properties }
}

private struct Quiet: Assembly {
  func assemble(container: Container) {
    container.register(String.self) { r in r.property("text") ?? "none" }
  }
}

/// SwinjectPropertyLoader: files, and the properties of a container.
final class PropertyLoaderTests {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "\(UUID().uuidString).bundle")
  let container = Container()

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private var bundle: Bundle { Bundle(url: folder)! }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  @Test func propertiesOfAFileHaveTheirTypes() throws {
    try write(
      """
      { // of the test
        "text": "a // b", /* and
        more */ "number": 3, "fraction": 2.5, "flag": true,
        "list": [1, 2], "section": { "inner": "x \\" /* y */" }
      }
      """, to: "all.json")
    try container.applyPropertyLoader(JsonPropertyLoader(bundle: bundle, name: "all"))
    #expect(container.property("text") == "a // b")
    #expect(container.property("number") == 3)
    #expect(container.property("number") == 3.0)
    #expect(container.property("fraction") == 2.5)
    #expect(container.property("flag") == true)
    #expect(container.property("list") == [1, 2])
    #expect(container.property("section") == ["inner": "x \" /* y */"])
    #expect((container.property("text") as Int?) == nil, "of another type")
    #expect((container.property("missing") as Int?) == nil)
  }

  @Test func aPropertyListHasDatesAndDataToo() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1_000)
    let list: [String: Any] = ["date": date, "data": Data([1, 2]), "text": "a"]
    let data = try PropertyListSerialization.data(
      fromPropertyList: list, format: .xml, options: 0)
    try data.write(to: folder.appendingPathComponent("all.plist"))
    try container.applyPropertyLoader(PlistPropertyLoader(bundle: bundle, name: "all"))
    #expect(container.property("date") == date)
    #expect(container.property("data") == Data([1, 2]))
    #expect(container.property("text") == "a")
  }

  @Test func laterFilesReplaceWholeKeys() throws {
    try container.applyPropertyLoader(
      Loader(properties: ["a": 1, "section": ["x": 1, "y": 2]]))
    try container.applyPropertyLoader(Loader(properties: ["section": ["x": 3], "b": 2]))
    #expect(container.property("a") == 1)
    #expect(container.property("b") == 2)
    #expect(container.property("section") == ["x": 3])
  }

  @Test func aFailedLoadChangesNothing() throws {
    try container.applyPropertyLoader(Loader(properties: ["a": 1]))
    #expect(throws: PropertyLoaderError.self) {
      try container.applyPropertyLoader(JsonPropertyLoader(bundle: bundle, name: "missing"))
    }
    #expect(container.property("a") == 1)
  }

  @Test func propertiesAreNotInheritedAndNotRemoved() throws {
    try container.applyPropertyLoader(Loader(properties: ["a": 1]))
    let child = Container(parent: container)
    #expect((child.property("a") as Int?) == nil)
    #expect((container.synchronize().property("a") as Int?) == nil)
    container.removeAll()
    #expect(container.property("a") == 1)
  }

  @Test func errorsSayWhatIsWrong() throws {
    try write("[1]", to: "list.json")
    try write("{", to: "broken.json")
    let list = try PropertyListSerialization.data(
      fromPropertyList: [1], format: .xml, options: 0)
    try list.write(to: folder.appendingPathComponent("list.plist"))
    try Data([0xFF, 0xFE, 0xFD]).write(to: folder.appendingPathComponent("bytes.json"))
    func text(_ loader: any PropertyLoader) -> String {
      do {
        _ = try loader.load()
        return "none"
      } catch { return "\(error)" }
    }
    let bundle = bundle
    #expect(
      text(JsonPropertyLoader(bundle: bundle, name: "list"))
        == "Invalid JSON format for bundle: \(bundle), name: list. Must be top-level dictionary")
    #expect(
      text(JsonPropertyLoader(bundle: bundle, name: "broken")).hasPrefix("Invalid JSON format"))
    #expect(
      text(PlistPropertyLoader(bundle: bundle, name: "list"))
        == "Invalid Plist format for bundle: \(bundle), name: list. Must be top-level dictionary")
    #expect(
      text(PlistPropertyLoader(bundle: bundle, name: "none"))
        == "Missing resource for bundle: \(bundle), name: none")
    #expect(
      text(JsonPropertyLoader(bundle: bundle, name: "bytes"))
        == "Invalid resource format for bundle: \(bundle), name: bytes")
  }

  @Test func anAssemblerLoadsAfterItsAssemblies() throws {
    let assembler = try Assembler(
      assemblies: [Quiet()], propertyLoaders: [Loader(properties: ["text": "a"])])
    #expect(assembler.resolver.resolve(String.self) == "a")
    try assembler.applyPropertyLoader(Loader(properties: ["text": "b"]))
    #expect(assembler.resolver.resolve(String.self) == "b")
    let child = try Assembler(
      assemblies: [], parentAssembler: assembler,
      propertyLoaders: [Loader(properties: ["text": "c"])])
    #expect(child.resolver.resolve(String.self) == "c", "the factory gets the child")
  }
}
