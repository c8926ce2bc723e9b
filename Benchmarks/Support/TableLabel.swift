// SPDX-License-Identifier: MIT

/// What heads the rows or columns of a table.
public protocol TableLabel: CaseIterable, Codable, Hashable, Sendable, RawRepresentable
where RawValue == String {}

/// What heads the columns: who does it.
public protocol TableColumn: TableLabel {
  /// The one that is measured.
  static var corinth: Self { get }
  /// Code without a container.
  static var direct: Self { get }
  /// A dictionary behind a mutex.
  static var mutex: Self { get }
}
