// SPDX-License-Identifier: MIT

/// Counts the contents of a binary property list, before a decoder reads the list.
///
/// The objects of a list refer to each other by number. A decoder reads an object again for every
/// reference: a hundred bytes may stand for millions of values. The scan visits every object once,
/// and adds up the values that the decoder would build.
struct BinaryScan {
  /// The size of an object with all referenced objects.
  private struct Cost {
    var values = 1
    var bytes = 0
    /// The greatest number of references from the object to a value.
    var height = 0
  }

  private enum Visit {
    case isUnderWay
    case done(Cost)
  }

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let table: Int
  private var visits: [Int: Visit] = [:]
  private var visited = 0
  private var path: [String] = []

  static func check(_ bytes: [UInt8]) throws(ResourceFault) {
    let (trailer, isOverflowing) = bytes.count.subtractingReportingOverflow(32)
    guard !isOverflowing, trailer >= 8, bytes.starts(with: "bplist0".utf8) else {
      throw ResourceFault(at: 0, "it is not a property list")
    }
    var scan = try BinaryScan(bytes, trailer: trailer)
    _ = try scan.visit(try scan.number(at: trailer + 16, size: 8), depth: 0)
  }

  private init(_ bytes: [UInt8], trailer: Int) throws(ResourceFault) {
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    count = try Self.number(in: bytes, at: trailer + 8, size: 8)
    table = try Self.number(in: bytes, at: trailer + 24, size: 8)
    // The sizes bound the product.
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize, count <= bytes.count, table <= trailer,
      table + count * offsetSize <= trailer
    else { throw ResourceFault(at: trailer, "it is not a property list") }
  }

  private mutating func visit(_ object: Int, depth: Int) throws(ResourceFault) -> Cost {
    let start = try start(of: object)
    switch visits[object] {
    case .isUnderWay:
      throw ResourceFault(at: start, property: dottedPath, "it refers to itself")
    case .done(let cost):
      if depth + cost.height > ResourceLimits.depth { throw .tooDeep(in: path, at: start) }
      return cost
    case nil: break
    }
    if depth > ResourceLimits.depth { throw .tooDeep(in: path, at: start) }
    visits[object] = .isUnderWay
    let cost = try cost(at: start, depth: depth)
    visits[object] = .done(cost)
    return cost
  }

  private mutating func cost(at start: Int, depth: Int) throws(ResourceFault) -> Cost {
    let marker = try byte(at: start)
    switch marker >> 4 {
    case 0x4, 0x5, 0x7: return Cost(bytes: try content(at: start, unit: 1).count)
    case 0x6: return Cost(bytes: try content(at: start, unit: 2).count)
    case 0xA, 0xB, 0xC:
      return try sum(references(at: start, each: 1), keys: [], at: start, depth: depth)
    case 0xD:
      let all = try references(at: start, each: 2)
      let (keys, values) = (all.prefix(all.count / 2), all.suffix(all.count / 2))
      return try sum(Array(values), keys: Array(keys), at: start, depth: depth)
    default: return Cost()
    }
  }

  /// The cost of an object with references to objects. In a section, the keys come first, with a
  /// key for every value.
  private mutating func sum(
    _ values: [Int], keys: [Int], at start: Int, depth: Int
  ) throws(ResourceFault) -> Cost {
    var names: Set<String> = []
    var sum = Cost()
    for (index, value) in values.enumerated() {
      var parts = [value]
      if !keys.isEmpty {
        parts.append(keys[index])
        let name = try text(of: keys[index])
        if !names.insert(name).inserted { throw .duplicateKey(name, in: path, at: start) }
        path.append(name)
      }
      for part in parts {
        let cost = try visit(part, depth: depth + 1)
        sum.values += cost.values
        sum.bytes += cost.bytes
        sum.height = max(sum.height, cost.height + 1)
      }
      if !keys.isEmpty { path.removeLast() }
      if sum.values > ResourceLimits.values { throw .tooMany(at: start) }
      if sum.bytes > ResourceLimits.bytes { throw .tooLarge(at: start) }
    }
    return sum
  }

  // MARK: - Objects

  private func start(of object: Int) throws(ResourceFault) -> Int {
    guard object < count else {
      throw ResourceFault(at: table, "it refers to an object that is not there")
    }
    return try number(at: table + object * offsetSize, size: offsetSize)
  }

  /// The numbers of the objects to which an object refers.
  private mutating func references(at start: Int, each: Int) throws(ResourceFault) -> [Int] {
    let content = try content(at: start, unit: each * referenceSize)
    // Objects may overlap: the scan also counts the references that were read.
    visited += content.count / referenceSize
    if visited > ResourceLimits.values { throw .tooMany(at: start) }
    var found: [Int] = []
    for place in stride(from: content.lowerBound, to: content.upperBound, by: referenceSize) {
      found.append(try number(at: place, size: referenceSize))
    }
    return found
  }

  /// The text of a key; the object's number if the key is not a text, which the decoder refuses.
  private func text(of object: Int) throws(ResourceFault) -> String {
    let start = try start(of: object)
    switch try byte(at: start) >> 4 {
    case 0x5: return String(decoding: bytes[try content(at: start, unit: 1)], as: UTF8.self)
    case 0x6:
      let content = try content(at: start, unit: 2)
      let units = stride(from: content.lowerBound, to: content.upperBound, by: 2).map { place in
        UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
      }
      return String(decoding: units, as: UTF16.self)
    default: return "object \(object)"
    }
  }

  /// The range of the content of an object whose length is given in units of some bytes.
  private func content(at start: Int, unit: Int) throws(ResourceFault) -> Range<Int> {
    var length = Int(try byte(at: start) & 0xF)
    var first = start + 1
    if length == 0xF {
      let marker = try byte(at: first)
      guard 0x10...0x13 ~= marker else {
        throw ResourceFault(at: first, property: dottedPath, "it has a length that is no number")
      }
      let size = 1 << Int(marker & 0xF)
      length = try number(at: first + 1, size: size)
      first += 1 + size
    }
    guard length <= (bytes.count - first) / unit else { throw outside(start) }
    return first..<(first + length * unit)
  }

  private func byte(at place: Int) throws(ResourceFault) -> UInt8 {
    guard place < bytes.count else { throw outside(place) }
    return bytes[place]
  }

  private func number(at place: Int, size: Int) throws(ResourceFault) -> Int {
    try Self.number(in: bytes, at: place, size: size)
  }

  /// A number of at most eight bytes, the highest byte first. A number greater than the file's size
  /// is read as the file's size.
  private static func number(
    in bytes: [UInt8], at place: Int, size: Int
  ) throws(ResourceFault) -> Int {
    guard place <= bytes.count - size else { throw ResourceFault(at: place, Self.isCutOff) }
    var number: UInt64 = 0
    for byte in bytes[place..<(place + size)] { number = number << 8 | UInt64(byte) }
    return Int(min(number, UInt64(bytes.count)))
  }

  private func outside(_ place: Int) -> ResourceFault {
    ResourceFault(at: min(place, bytes.count), property: dottedPath, Self.isCutOff)
  }

  private static let isCutOff = "it is cut off, or refers to what is behind its end"

  private var dottedPath: String? { path.isEmpty ? nil : path.joined(separator: ".") }
}
