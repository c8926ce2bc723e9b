// SPDX-License-Identifier: MIT

/// A row's limit beside the figure: the ratio of Corinth's time to the counterpart's time for the
/// operation, on one thread. The counterpart of an observed operation is the unobserved one.
///
/// The times come from the same rounds: the machine and the load hit both. Nanoseconds are not
/// judged.
public struct RowVerdict: Codable, Sendable {
  public enum Result: String, Codable, Sendable {
    case met
    /// Within a tenth of the limit, on either side of it: another run may say so or so.
    case close
    case missed
  }

  public let operation: String
  /// The column that performs the operation without Corinth.
  public let counterpart: String
  /// The ratios of all measurements in their order: several if the first was beyond the limit, see
  /// ``JudgedFigures``.
  public let ratios: [Double]
  /// The ratio that counts: the least.
  public let ratio: Double
  public let limit: Double
  public let result: Result

  /// The verdicts of the rows that have a limit. A row is judged beside the dictionary behind a
  /// mutex if that was measured, and beside direct code otherwise.
  static func all<Operation, Column>(
    of figures: [Figure<Operation, Column>], _ limit: (Operation) -> Double?
  ) -> [RowVerdict] {
    Operation.allCases.compactMap { operation in
      let own = figures.first {
        $0.operation == operation && $0.column == .corinth && $0.threads == 1
      }
      guard let own, let limit = limit(operation) else { return nil }
      let ratios = [
        (unobserved, own.ratioToUnobserved), (Column.mutex.rawValue, own.ratioToMutex),
        (Column.direct.rawValue, own.ratioToDirect),
      ]
      return ratios.lazy.compactMap { counterpart, ratio in
        ratio.map { Self(operation.rawValue, beside: counterpart, [$0], limit) }
      }.first
    }
  }

  /// The counterpart of an observed operation.
  private static let unobserved = "unobserved"

  init(_ operation: String, beside counterpart: String, _ ratios: [Double], _ limit: Double) {
    self.operation = operation
    self.counterpart = counterpart
    self.ratios = ratios
    self.limit = limit
    ratio = ratios.min() ?? .infinity
    let share = ratio / limit
    result = share <= 0.9 ? .met : share <= 1.1 ? .close : .missed
  }

  /// The verdict after another measurement of the row.
  func measuredAgain(_ ratio: Double) -> Self {
    Self(operation, beside: counterpart, ratios + [ratio], limit)
  }

  /// The verdicts as they are printed.
  static func table(_ verdicts: [RowVerdict]) -> String {
    var table = TextTable(["times its counterpart, 1 thread", "counterpart", "times", "limit", ""])
    for verdict in verdicts {
      table.add([
        verdict.operation, verdict.counterpart, String(verdict.ratio, decimals: 2),
        String(verdict.limit, decimals: 2), verdict.result.rawValue,
      ])
    }
    return table.text
  }

  /// The measured operations, and the verdict, in words.
  static func summary(_ verdicts: [RowVerdict], of subject: String) -> String {
    let counterparts = [
      ("Mutex", "a dictionary behind a mutex"), ("direct", "code without a container"),
      (unobserved, "the same without behaviors"),
    ]
    var lines = ["In short, \(subject):"]
    for (column, name) in counterparts {
      let rows = verdicts.filter { $0.counterpart == column }
      guard let least = rows.map(\.ratio).min(), let most = rows.map(\.ratio).max() else {
        continue
      }
      lines.append(
        "  \(rows.count) row\(rows.count == 1 ? "" : "s") beside \(name): Corinth takes \(String(least, decimals: 2)) to "
          + "\(String(most, decimals: 2)) times as long.")
    }
    let repeated = verdicts.filter { $0.ratios.count > 1 }.map { verdict in
      let ratios = verdict.ratios.map { String($0, decimals: 2) }.joined(separator: ", then ")
      return "\(verdict.operation) (\(ratios))"
    }
    if !repeated.isEmpty {
      lines.append("  Measured again, since beyond the limit: \(repeated.joined(separator: "; ")).")
    }
    let (close, missed) = (listed(verdicts, .close), listed(verdicts, .missed))
    if let close { lines.append("  Close to the limit, which fails nothing: \(close).") }
    if let missed {
      lines.append("  Missed: \(missed). Something takes longer than it should.")
    } else {
      lines.append("  No row is missed: all is well.")
    }
    return lines.joined(separator: "\n")
  }

  private static func listed(_ verdicts: [RowVerdict], _ result: Result) -> String? {
    let rows = verdicts.filter { $0.result == result }.map {
      "\($0.operation) (\(String($0.ratio, decimals: 2)), limit \(String($0.limit, decimals: 2)))"
    }
    return rows.isEmpty ? nil : rows.joined(separator: "; ")
  }
}
