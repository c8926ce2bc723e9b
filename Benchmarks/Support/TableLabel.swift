// SPDX-License-Identifier: MIT

/// The heading of the rows or columns of a table.
public protocol TableLabel: CaseIterable, Codable, Hashable, Sendable, RawRepresentable
where RawValue == String {}

/// The heading of the columns: the code that performs the operations.
public protocol TableColumn: TableLabel {
  /// The measured column.
  static var corinth: Self { get }
  /// Code without a container.
  static var direct: Self { get }
  /// A dictionary behind a mutex.
  static var mutex: Self { get }
}
