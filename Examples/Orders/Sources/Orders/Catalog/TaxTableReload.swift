// SPDX-License-Identifier: MIT

package import Corinth

/// Reads the tax table again while orders are taken. Each request has the old table or the new one,
/// and never both.
package struct TaxTableReload: Sendable {
  let reloadable: ReloadableContainer
  let log: any Log

  package init(reloadable: ReloadableContainer, log: any Log) {
    self.reloadable = reloadable
    self.log = log
  }

  /// Reads the table, and builds the dependents anew. A meaningless table changes nothing: the log
  /// gives the reason.
  nonisolated(nonsending) package func run() async {
    do {
      let table = try TaxTable(settings: try reloadable.current.resolve())
      try await reloadable.reload { version in
        try version.register(value: table, onDuplicate: .require)
      }
      log.write("tax table read again")
    } catch {
      log.write("the tax table stays as it was: \(error)")
    }
  }
}
