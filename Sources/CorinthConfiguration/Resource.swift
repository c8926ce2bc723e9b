// SPDX-License-Identifier: MIT

public import Foundation

/// The origin of properties: a file, a text, or the environment.
///
/// ```swift
/// try container.register(resource: .file(url).secret("db.password"))
/// try container.register(resource: .environment(prefix: "SHOP_"))
/// ```
///
/// Nested keys are dotted names: `{"db": {"port": 5432}}` is `db.port`. Later resources override
/// the values of earlier resources, and children inherit.
///
/// ## Concurrency
/// A value: safe to share.
public struct Resource: Sendable {
  enum Content: Sendable {
    case file(URL)
    case data(Data, isPropertyList: Bool)
    case environment(prefix: String, [String: String])
  }

  /// The identity of a resource that a reload loads again.
  enum Origin: Sendable, Hashable {
    case file(String)
    case text(named: String)
    case environment(prefix: String)
  }

  let content: Content
  let name: String
  private(set) var secrets: Set<String> = []

  private init(_ content: Content, named name: String) {
    self.content = content
    self.name = name
  }

  /// A file in JSON, or a property list if the file's extension is `plist`.
  ///
  /// ```swift
  /// try container.register(resource: .file(URL(filePath: "/etc/shop/settings.json")))
  /// ```
  public static func file(_ url: URL) -> Resource {
    Resource(.file(url), named: url.lastPathComponent)
  }

  /// JSON that the program already has.
  ///
  /// ```swift
  /// try container.register(resource: .json(#"{"db": {"port": 5432}}"#, named: "defaults"))
  /// ```
  ///
  /// The text is read when the resource is registered: `register(resource:)` throws the error of
  /// malformed text.
  ///
  /// - Parameters:
  ///   - text: JSON whose outermost value is an object.
  ///   - name: the name of the resource in messages, and in reloads.
  public static func json(_ text: String, named name: String) -> Resource {
    Resource(.data(Data(text.utf8), isPropertyList: false), named: name)
  }

  /// The environment variables whose names begin with a prefix.
  ///
  /// ```swift
  /// // SHOP_DB_PORT=5433 overrides db.port.
  /// try container.register(resource: .environment(prefix: "SHOP_"))
  /// ```
  ///
  /// The rest of a variable's name is compared with the names of existing properties, without
  /// regard to case, with `_` for every `.`, `_` and `-`; if several names fit, the first in
  /// alphabetical order counts. A variable that fits no existing property is a new property, in
  /// lower case, with a `.` for every `_`. The names of secrets are compared in the same way.
  ///
  /// A variable is a text, read as the type that the reader asks for: a number, a Boolean (`true`,
  /// `false`) or a string.
  ///
  /// - Parameters:
  ///   - prefix: the beginning of the variables' names, which is not part of the properties' names.
  ///   - variables: the variables; by default, the variables of the process.
  public static func environment(
    prefix: String, variables: [String: String] = ProcessInfo.processInfo.environment
  ) -> Resource {
    Resource(.environment(prefix: prefix, variables), named: "the environment")
  }

  /// A copy of the resource with values that no description, drawing, log or error of Corinth
  /// shows.
  ///
  /// ```swift
  /// try container.register(resource: .file(url).secret("db.password", "tokens"))
  /// ```
  ///
  /// A secret stays a secret when a later resource overrides the value. If this resource lacks the
  /// value, declare the secret for the resource that has the value.
  ///
  /// - Parameter properties: the dotted names of values, or of sections with all contents.
  public func secret(_ properties: String...) -> Resource {
    var copy = self
    copy.secrets.formUnion(properties)
    return copy
  }

  var origin: Origin {
    switch content {
    case .file(let url): .file(url.standardizedFileURL.absoluteString)
    case .data: .text(named: name)
    case .environment(let prefix, _): .environment(prefix: prefix)
    }
  }

  /// - Parameter property: the dotted name of a property of the resource.
  func isSecret(_ property: String) -> Bool {
    guard case .environment = content else { return secrets.contains(property) }
    let variable = Self.variable(for: property)
    return secrets.contains { Self.variable(for: $0) == variable }
  }
}

/// No value is shown, since the value may be a secret.
extension Resource: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The name of the resource.
  public var description: String { name }
  /// The name of the resource.
  public var debugDescription: String { name }
  /// Has no children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
