// SPDX-License-Identifier: MIT

/// The heading of the rows or columns of a table.
public protocol TableLabel: CaseIterable, Codable, Hashable, Sendable, RawRepresentable
where RawValue == String {
  /// The row that does the same without behaviors, if the row's figure is judged beside that row's.
  /// Both are measured together.
  var unobserved: Self? { get }
}

extension TableLabel {
  public var unobserved: Self? { nil }
}

/// The heading of the columns: the code that performs the operations.
public protocol TableColumn: TableLabel {
  /// The measured column.
  static var corinth: Self { get }
  /// Code without a container.
  static var direct: Self { get }
  /// A dictionary behind a mutex.
  static var mutex: Self { get }
}
