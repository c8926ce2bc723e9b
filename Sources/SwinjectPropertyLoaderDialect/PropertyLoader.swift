// SPDX-License-Identifier: MIT

internal import CorinthConfiguration
public import Foundation

/// Loads properties.
///
/// ## Concurrency
/// ``load()`` is called on the thread that applies the loader, with no lock held.
public protocol PropertyLoader {
  /// The values of the properties, by name.
  func load() throws -> [String: Any]
}

/// Loads the properties of a JSON file, which may have comments.
///
/// ```swift
/// try container.applyPropertyLoader(JsonPropertyLoader(bundle: .main, name: "properties"))
/// ```
public final class JsonPropertyLoader: PropertyLoader {
  private let file: ResourceFile

  /// - Parameters:
  ///   - bundle: the bundle of the file.
  ///   - name: the name of the file, without the extension `json`.
  public init(bundle: Bundle? = Bundle.main, name: String) {
    file = ResourceFile(bundle, name, "json")
  }

  public func load() throws -> [String: Any] {
    let resource = Resource.json(try file.text.withoutComments, named: file.name)
    do { return try resource.foundationValues() } catch  where error.kind == .malformed {
      throw PropertyLoaderError.invalidJSONFormat(bundle: file.bundle, name: file.name)
    }
  }
}

/// Loads the properties of a property list.
///
/// ```swift
/// try container.applyPropertyLoader(PlistPropertyLoader(name: "properties"))
/// ```
public final class PlistPropertyLoader: PropertyLoader {
  private let file: ResourceFile

  /// - Parameters:
  ///   - bundle: the bundle of the file.
  ///   - name: the name of the file, without the extension `plist`.
  public init(bundle: Bundle? = Bundle.main, name: String) {
    file = ResourceFile(bundle, name, "plist")
  }

  public func load() throws -> [String: Any] {
    do { return try Resource.file(file.url).foundationValues() } catch let error
      as ConfigurationError where error.isOfAnotherTop
    {
      throw PropertyLoaderError.invalidPlistFormat(bundle: file.bundle, name: file.name)
    }
  }
}

/// The reason why properties could not be loaded.
public enum PropertyLoaderError: Error, CustomStringConvertible {
  /// The file is not JSON, or the top of the file is not a dictionary.
  case invalidJSONFormat(bundle: Bundle, name: String)
  /// The top of the property list is not a dictionary.
  case invalidPlistFormat(bundle: Bundle, name: String)
  /// The file is missing.
  case missingResource(bundle: Bundle, name: String)
  /// The file is not text.
  case invalidResourceDataFormat(bundle: Bundle, name: String)

  public var description: String {
    switch self {
    case .invalidJSONFormat(let bundle, let name):
      "Invalid JSON format for bundle: \(bundle), name: \(name). Must be top-level dictionary"
    case .invalidPlistFormat(let bundle, let name):
      "Invalid Plist format for bundle: \(bundle), name: \(name). Must be top-level dictionary"
    case .missingResource(let bundle, let name):
      "Missing resource for bundle: \(bundle), name: \(name)"
    case .invalidResourceDataFormat(let bundle, let name):
      "Invalid resource format for bundle: \(bundle), name: \(name)"
    }
  }
}

private struct ResourceFile {
  let bundle: Bundle
  let name: String
  private let type: String

  init(_ bundle: Bundle?, _ name: String, _ type: String) {
    guard let bundle else { preconditionFailure("PropertyLoader.init: 'bundle' must not be nil") }
    self.bundle = bundle
    self.name = name
    self.type = type
  }

  var url: URL {
    get throws {
      guard let url = bundle.url(forResource: name, withExtension: type) else {
        throw PropertyLoaderError.missingResource(bundle: bundle, name: name)
      }
      return url
    }
  }

  var text: String {
    get throws {
      guard let text = try? String(contentsOf: url, encoding: .utf8) else {
        _ = try url
        throw PropertyLoaderError.invalidResourceDataFormat(bundle: bundle, name: name)
      }
      return text
    }
  }
}
