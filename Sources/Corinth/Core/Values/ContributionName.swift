// SPDX-License-Identifier: MIT

internal import Synchronization

/// The name of an element that is contributed to a collection: no other key has it.
///
/// An element without a name of its own equals none, in no container. One with a name takes the place of an element of
/// the same name.
struct ContributionName: Sendable {
  let name: Name?
  let location: SourceLocation
  private let number: UInt64

  init(_ name: Name?, at location: SourceLocation) {
    self.name = name
    self.location = location
    number = name == nil ? Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue : 0
  }

  private static let lastNumber = Atomic<UInt64>(0)
}

extension ContributionName: Hashable {
  static func == (left: ContributionName, right: ContributionName) -> Bool {
    left.number == right.number && left.name == right.name
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(name)
  }
}

extension ContributionName: CustomStringConvertible {
  var description: String { name.map { "\($0)" } ?? "(\(location))" }
}

extension Name {
  /// Whether it is made of a value that is neither a text nor an integer.
  var isValue: Bool {
    if case .value = content { true } else { false }
  }

  init(_ contribution: ContributionName) {
    self.init(
      hash: Name.hash(ofValue: contribution.hashValue), content: .value(NameValueOf(contribution)))
  }

  /// The element of a collection that this is the name of; `nil` for all other names.
  var contribution: ContributionName? {
    guard case .value(let value, _) = content else { return nil }
    return (value as? NameValueOf<ContributionName>)?.value
  }
}

extension RegistrationKey {
  /// Whether the registration is an element of a collection, and is not found by its type.
  package var isContribution: Bool { name?.contribution != nil }
}
