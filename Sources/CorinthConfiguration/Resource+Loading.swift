// SPDX-License-Identifier: MIT

internal import Foundation

extension Resource {
  /// The properties of the resource, nested. The source of an environment variable's property is
  /// the variable's name.
  ///
  /// - Parameter known: the names of the existing properties.
  func load(
    known: () -> [String]
  ) throws(ConfigurationError) -> (root: [String: PropertyValue], sources: [String: String]) {
    switch content {
    case .file(let url):
      let data: Data
      do { data = try Data(contentsOf: url) } catch {
        throw ConfigurationError(
          .unreadable, in: name, "The resource \(url.path) cannot be read: is there such a file?")
      }
      return (try decode(data, isPropertyList: url.pathExtension.lowercased() == "plist"), [:])
    case .data(let data, let isPropertyList):
      return (try decode(data, isPropertyList: isPropertyList), [:])
    case .environment(let prefix, let variables):
      return try nested(variables.filter { $0.key.hasPrefix(prefix) }, prefix, known())
    }
  }

  private func decode(
    _ data: Data, isPropertyList: Bool
  ) throws(ConfigurationError) -> [String: PropertyValue] {
    let value: PropertyValue
    do {
      if data.count > ResourceLimits.bytes { throw ResourceFault.tooLarge(at: 0) }
      if isPropertyList {
        try PropertyListScan.check(data)
        let decoder = PropertyListDecoder()
        decoder.userInfo[.hasDates] = true
        value = try decoder.decode(PropertyValue.self, from: data)
      } else {
        guard let text = data.asUTF8 else {
          throw ResourceFault(at: 0, "its text is not of its encoding")
        }
        try JSONScan.check(text)
        value = try JSONDecoder().decode(PropertyValue.self, from: Data(text))
      }
    } catch let fault as ResourceFault {
      throw refused(data, isPropertyList, fault)
    } catch {
      throw malformed(data, isPropertyList, error)
    }
    guard case .section(let root) = value else {
      throw ConfigurationError(
        .malformed, in: name, isOfAnotherTop: true,
        "The resource \(name) is malformed: it must be an object with keys, and is \(value.kind).")
    }
    return root
  }

  private func malformed(
    _ data: Data, _ isPropertyList: Bool, _ error: any Error
  ) -> ConfigurationError {
    let path = (error as? DecodingError)?.path ?? ""
    let format = isPropertyList ? "a property list" : "JSON"
    if !path.isEmpty {
      return ConfigurationError(
        .malformed, in: name, property: path,
        "The resource \(name) is malformed: the value of \(path) is out of the range of numbers, or of no type that properties have."
      )
    }
    // A binary list has no lines, and the second decoder may take the bytes for text.
    let isBinary = isPropertyList && PropertyListScan.isBinary(data)
    let line = isBinary ? nil : Self.line(ofErrorIn: data, isPropertyList)
    let place = line.map { " at line \($0)" } ?? ""
    return ConfigurationError(
      .malformed, in: name, line: line,
      "The resource \(name) is malformed\(place): it is not \(format).")
  }

  private func refused(
    _ data: Data, _ isPropertyList: Bool, _ fault: ResourceFault
  ) -> ConfigurationError {
    let isBinary = isPropertyList && PropertyListScan.isBinary(data)
    let line =
      isBinary
      ? nil : (data.asUTF8 ?? []).prefix(fault.offset).count { $0 == UInt8(ascii: "\n") } + 1
    let place = line.map { "line \($0)" } ?? "byte \(fault.offset)"
    let property = fault.kind == .malformed ? fault.property.map { ", in \($0)" } ?? "" : ""
    return ConfigurationError(
      fault.kind, in: name, property: fault.property, line: line,
      "The resource \(name) is \(fault.kind) at \(place)\(property): \(fault.reason).")
  }

  /// The line at which a decoder gives up; on some platforms, the decoders for `Decodable` types do
  /// not tell the line.
  private static func line(ofErrorIn data: Data, _ isPropertyList: Bool) -> Int? {
    let text: String
    do {
      if isPropertyList {
        _ = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
      } else {
        _ = try JSONSerialization.jsonObject(with: data)
      }
      return nil
    } catch { text = "\((error as NSError).userInfo["NSDebugDescription"] ?? "")" }
    if let line = text.firstMatch(of: /line ([0-9]+)/).flatMap({ Int($0.1) }) { return line }
    let end = text.firstMatch(of: /character ([0-9]+)/).flatMap { Int($0.1) } ?? data.count
    return data.prefix(end).count { $0 == UInt8(ascii: "\n") } + 1
  }

  // MARK: - Environment

  private func nested(
    _ variables: [String: String], _ prefix: String, _ known: [String]
  ) throws(ConfigurationError) -> (root: [String: PropertyValue], sources: [String: String]) {
    let names = Dictionary(
      known.sorted().map { (Self.variable(for: $0), $0) }, uniquingKeysWith: { first, _ in first })
    var tree = PropertyTree()
    for (variable, text) in variables.sorted(by: { $0.key < $1.key }) {
      let rest = String(variable.dropFirst(prefix.count))
      let property = names[rest.uppercased()] ?? rest.lowercased().replacing("_", with: ".")
      if property.count(where: { $0 == "." }) >= ResourceLimits.depth {
        let fault = ResourceFault.tooDeep(in: [], at: 0)
        throw ConfigurationError(
          .malformed, in: variable.shortened, property: property.shortened,
          "The environment variable \(variable.shortened) stands for no property: \(fault.reason).")
      }
      guard tree.insert(.text(text), at: property, from: variable) else {
        throw ConfigurationError(
          .conflicting, in: variable, property: property,
          "The environment variable \(variable) stands for the property \(property), which has an empty key, or which another variable makes a section, a value, or has too."
        )
      }
    }
    return (tree.root, tree.sources)
  }

  static func variable(for property: String) -> String {
    String(property.uppercased().map { $0 == "." || $0 == "-" ? "_" : $0 })
  }
}

extension DecodingError {
  /// The dotted name of the error's place; empty for the whole.
  var path: String { codingPath.map(\.stringValue).joined(separator: ".") }

  var codingPath: [any CodingKey] {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context.codingPath
    @unknown default: []
    }
  }
}
