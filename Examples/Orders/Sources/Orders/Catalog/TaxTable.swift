// SPDX-License-Identifier: MIT

import Foundation

/// The tax on each item, in percent.
package struct TaxTable: Sendable {
  private let standard: Int
  private let rates: [String: Int]

  /// Reads the file named by the settings, if any: a JSON object of items and percents, such as
  /// `{"book": 7}`.
  ///
  /// - Throws: ``TaxTableError``.
  package init(settings: PriceSettings) throws {
    standard = settings.taxPercent
    rates = try settings.taxTable.map(Self.rates(inFile:)) ?? [:]
  }

  package func percent(of item: String) -> Int { rates[item] ?? standard }

  private static func rates(inFile path: String) throws(TaxTableError) -> [String: Int] {
    let rates: [String: Int]
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      rates = try JSONDecoder().decode([String: Int].self, from: data)
    } catch is DecodingError {
      throw TaxTableError(path: path, problem: "is not a JSON object of items and whole percents")
    } catch {
      throw TaxTableError(path: path, problem: "cannot be read")
    }
    for (item, rate) in rates.sorted(by: { $0.key < $1.key }) where !(0...100 ~= rate) {
      throw TaxTableError(
        path: path, problem: "has a tax of \(rate) percent for \"\(item)\", which is not in 0...100"
      )
    }
    return rates
  }
}

/// A tax table that means nothing.
package struct TaxTableError: Error, CustomStringConvertible {
  let path: String
  let problem: String

  package var description: String { "The tax table \(path.onOneLine) \(problem.onOneLine)." }
}
