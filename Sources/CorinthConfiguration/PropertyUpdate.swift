// SPDX-License-Identifier: MIT

internal import Corinth

/// The changes of a container's properties by a resource.
///
/// A version of a reloadable container forgets the properties that the resource had in earlier
/// versions, and the resource keeps its place among the resources. In all other containers the
/// resource becomes the last resource, and a property that the resource has no longer stays.
struct PropertyUpdate {
  private let container: Container
  private let resource: Resource
  private let sources: [String: String]
  private let order: ResourceOrder
  /// The properties that are registered so far.
  private let before: [String: Property]
  /// The entries of all resources, without forgotten entries.
  private var entries: [String: [Property.Entry]] = [:]
  private var secrets: Set<String> = []
  /// The names of the properties of the resource, in the order of registration.
  private var found: [String] = []

  init(
    of container: Container, with resource: Resource, _ root: [String: PropertyValue],
    _ sources: [String: String]
  ) throws(ConfigurationError) {
    self.container = container
    self.resource = resource
    self.sources = sources
    let origin = resource.origin
    var order = container.note as? ResourceOrder ?? ResourceOrder()
    let forgets = order.add(origin, in: container.versionNumber)
    self.order = order
    var before: [String: Property] = [:]
    for name in container.propertyNames() {
      guard let property = container.existingProperty(name) else { continue }
      before[name] = property
      if property.isSecret { secrets.insert(name) }
      entries[name] =
        forgets ? property.entries.filter { $0.origin != origin } : property.entries
    }
    self.before = before
    try collect(root, below: nil, secret: false)
  }

  private mutating func collect(
    _ section: [String: PropertyValue], below prefix: String?, secret isSecret: Bool
  ) throws(ConfigurationError) {
    for (key, value) in section.sorted(by: { $0.key < $1.key }) {
      let name = prefix.map { "\($0).\(key)" } ?? key
      let source = sources[name] ?? resource.name
      if name.utf8.count > ResourceLimits.nameBytes {
        throw ConfigurationError(
          .malformed, in: source.shortened, property: name.shortened,
          "The resource \(source.shortened) is malformed: the name \(name.shortened) is longer than \(ResourceLimits.nameBytes) bytes."
        )
      }
      // A combining mark at the beginning would join the dot before the key.
      if ".\(key)".split(separator: ".").map(String.init) != [key] {
        throw ConfigurationError(
          .conflicting, in: source, property: name,
          "The resource \(source) has the key \"\(key)\"\(prefix.map { " in \($0)" } ?? ""): a key must neither be empty nor have a dot in it, nor begin with a combining mark."
        )
      }
      let isSecret = isSecret || resource.isSecret(name) || secrets.contains(name)
      if isSecret { secrets.insert(name) }
      var leaf: PropertyValue? = value
      if case .section(let inner) = value {
        try collect(inner, below: name, secret: isSecret)
        leaf = nil
      }
      try insert(
        Property.Entry(value: leaf, source: source, origin: resource.origin), at: name)
    }
  }

  private mutating func insert(
    _ entry: Property.Entry, at name: String
  ) throws(ConfigurationError) {
    var all = entries[name] ?? []
    if let other = all.first, other.isSection != entry.isSection {
      throw ConfigurationError(
        .conflicting, in: entry.source, property: name,
        "The property \(name) is \(entry.kind) in \(entry.source), and \(other.kind) in \(other.source): rename one of them."
      )
    }
    all.removeAll { $0.origin == entry.origin }
    all.insert(
      entry, at: all.firstIndex { !order.isLater($0.origin, than: entry.origin) } ?? all.endIndex)
    entries[name] = all
    found.append(name)
  }

  // MARK: - Registering

  /// Registers the properties of the resource. A property that the resource has no longer becomes
  /// the property of another resource, or is hidden.
  func register(file: StaticString, line: UInt) throws {
    let (properties, names) = (self.properties, Set(found))
    let others = before.keys.filter { name in
      !names.contains(name) && before[name]?.entries.count != entries[name]?.count
    }
    for name in found + others.sorted() {
      guard let property = properties[name] else {
        try container.hide(.property(name), file: file, line: line)
        continue
      }
      // A reader of a section depends on the properties in the section.
      let keys = property.keysOfContents(named: name)
      try container.register(
        value: property, name: Name(name), onDuplicate: .override,
        with: keys.isEmpty ? nil : .dependsOn(keys: keys), file: file, line: line)
    }
    // After all steps that may fail: the place of a resource without properties counts too.
    container.note = order
  }

  /// The properties of all resources.
  private var properties: [String: Property] {
    var contents: [String: [String: PropertyValue]] = [:]
    var properties: [String: Property] = [:]
    // The values within a section come before the section.
    for (name, entries) in entries.sorted(by: { $0.key.utf8.count > $1.key.utf8.count }) {
      guard let first = entries.first else { continue }
      let content = first.value ?? .section(contents.removeValue(forKey: name) ?? [:])
      properties[name] = Property(
        entries: entries, content: content, isSecret: secrets.contains(name))
      guard let dot = name.lastIndex(of: ".") else { continue }
      contents[String(name[..<dot]), default: [:]][String(name[name.index(after: dot)...])] =
        content
    }
    return properties
  }
}

extension Container {
  func existingProperty(_ name: String) -> Property? {
    (try? resolveIfRegistered(Property.self, name: Name(name))) ?? nil
  }
}

/// The resources of a container: a later resource overrides the values of an earlier resource.
struct ResourceOrder: Sendable {
  private var origins: [Resource.Origin] = []
  /// A version, and the resources that the version has registered again.
  private var (version, renewed): (UInt64?, Set<Resource.Origin>) = (nil, [])

  /// Adds the resource of a registration under way.
  ///
  /// - Parameter version: the number of the container, if it is a version.
  /// - Returns: whether the earlier entries of the resource are forgotten: at the first
  ///   registration in a version.
  mutating func add(_ origin: Resource.Origin, in version: UInt64?) -> Bool {
    guard let version else {
      origins.removeAll { $0 == origin }
      origins.append(origin)
      return false
    }
    if self.version != version { (self.version, renewed) = (version, []) }
    if !origins.contains(origin) { origins.append(origin) }
    return renewed.insert(origin).inserted
  }

  func isLater(_ origin: Resource.Origin, than other: Resource.Origin) -> Bool {
    (origins.firstIndex(of: origin) ?? -1) > (origins.firstIndex(of: other) ?? -1)
  }
}
