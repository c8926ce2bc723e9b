// SPDX-License-Identifier: MIT

/// The objects visited by a search. Most searches are short, and need no table.
struct VisitedObjects {
  private var first: [ObjectIdentifier] = []
  private var others: Set<ObjectIdentifier> = []

  private static var listed: Int { 16 }

  /// - Returns: `false` if the object was visited before.
  mutating func visit(_ object: AnyObject) -> Bool {
    let identifier = ObjectIdentifier(object)
    if first.contains(identifier) { return false }
    guard first.count >= Self.listed else {
      first.append(identifier)
      return true
    }
    return others.insert(identifier).inserted
  }

  func contains(_ object: AnyObject) -> Bool {
    let identifier = ObjectIdentifier(object)
    return first.contains(identifier) || !others.isEmpty && others.contains(identifier)
  }
}
