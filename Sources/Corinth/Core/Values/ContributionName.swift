// SPDX-License-Identifier: MIT

internal import Synchronization

/// The name of an element contributed to a collection, which no further key has.
///
/// An element without a name of its own equals no element, in no container. An element with a name
/// replaces an element of the same name.
// SAFETY: see the superclass; the properties are constant.
final class ContributionName: NameValue, @unchecked Sendable {
  let name: Name?
  let location: SourceLocation
  private let number: UInt64

  init(_ name: Name?, at location: SourceLocation) {
    self.name = name
    self.location = location
    number = name == nil ? Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue : 0
  }

  private static let lastNumber = Atomic<UInt64>(0)

  override var hashable: AnyHashable { AnyHashable(self) }

  override var contribution: ContributionName? { self }

  override var description: String { name.map { "\($0)" } ?? "(\(location))" }

  override func isEqual(to other: NameValue) -> Bool {
    other.contribution.map { $0 == self } ?? false
  }
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

extension Name {
  /// Whether the name is made of a value that is neither a text nor an integer.
  var isValue: Bool { value != nil }

  init(_ contribution: ContributionName) {
    self.init(
      hash: Name.hash(ofValue: contribution.hashValue), content: .value(contribution))
  }

  /// The collection's element of the name; `nil` for all other names.
  var contribution: ContributionName? {
    value?.contribution
  }
}

extension RegistrationKey {
  /// Whether the registration is an element of a collection, and is not found by its type.
  package var isContribution: Bool { name?.contribution != nil }
}
