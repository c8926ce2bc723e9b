// SPDX-License-Identifier: MIT

/// The reason why a resource is refused before the platform's decoder reads the resource.
///
/// The decoders recurse, build the shared values of a binary property list repeatedly, and end the
/// process for some files. Every format therefore has a scan that takes time in proportion to the
/// file, and finds what the decoder would find up to the first mistake of the file.
struct ResourceFault: Error {
  let kind: ConfigurationError.Kind
  /// The byte at which the scan found the fault.
  let offset: Int
  /// The dotted name of the value; `nil` for the resource as a whole.
  let property: String?
  /// A sentence about the file, without the final period: "it ...".
  let reason: String

  init(
    _ kind: ConfigurationError.Kind = .malformed, at offset: Int, property: String? = nil,
    _ reason: String
  ) {
    self.kind = kind
    self.offset = offset
    self.property = property.map(\.shortened)
    self.reason = reason
  }

  static func duplicateKey(_ key: String, in path: [String], at offset: Int) -> ResourceFault {
    ResourceFault(
      .conflicting, at: offset, property: (path + [key]).joined(separator: "."),
      "it has the key \"\(key.shortened)\" twice"
        + (path.isEmpty ? "" : " in \(path.joined(separator: ".").shortened)"))
  }

  static func tooDeep(in path: [String], at offset: Int) -> ResourceFault {
    ResourceFault(
      at: offset, property: path.isEmpty ? nil : path.joined(separator: "."),
      "it is nested deeper than \(ResourceLimits.depth) levels")
  }

  static func tooMany(at offset: Int) -> ResourceFault {
    ResourceFault(at: offset, "it has more than \(ResourceLimits.values) keys and values")
  }

  static func tooLarge(at offset: Int) -> ResourceFault {
    ResourceFault(at: offset, "it takes more than \(ResourceLimits.bytes >> 20) MiB")
  }
}

/// Bounds that lie far beyond the settings of any application.
enum ResourceLimits {
  /// The number of sections and arrays around a value.
  static let depth = 64
  /// The number of keys and values of a resource.
  static let values = 200_000
  /// The size of a resource.
  static let bytes = 64 << 20
  /// The length of a dotted name, in bytes; every property has a dotted name.
  static let nameBytes = 1_024
}

extension String {
  /// The beginning, for messages: a hostile file may have a key of any length.
  var shortened: String { utf8.count > 200 ? "\(String(unicodeScalars.prefix(50)))..." : self }
}

/// The part of a resource that a scan has passed: the sections and arrays around the current place,
/// and the number of keys and values.
struct ResourceShape {
  private struct Level {
    let isSection: Bool
    var keys: Set<String> = []
    /// The key of the next value.
    var key: String?
  }

  private var levels: [Level] = []
  private var count = 0

  var isInSection: Bool { levels.last?.isSection ?? false }

  /// Counts a key or a value.
  mutating func value(at offset: Int) throws(ResourceFault) {
    if levels.count > ResourceLimits.depth {
      throw .tooDeep(in: levels.compactMap(\.key), at: offset)
    }
    count += 1
    if count > ResourceLimits.values { throw .tooMany(at: offset) }
  }

  /// Counts a value that contains values.
  mutating func open(section isSection: Bool, at offset: Int) throws(ResourceFault) {
    try value(at: offset)
    levels.append(Level(isSection: isSection))
  }

  mutating func close() {
    _ = levels.popLast()
  }

  /// Notes a key of the present section.
  mutating func note(key: String, at offset: Int) throws(ResourceFault) {
    guard isInSection else { return }
    let last = levels.count - 1
    if !levels[last].keys.insert(key).inserted {
      throw .duplicateKey(key, in: levels.dropLast().compactMap(\.key), at: offset)
    }
    levels[last].key = key
  }
}
