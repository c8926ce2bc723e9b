// SPDX-License-Identifier: MIT

/// The installed packages in dpkg's status file, with the dependencies.
///
/// The first alternative counts that is installed, or is provided by an installed package. Versions
/// and architectures are left out: dpkg has checked the versions and architectures.
enum DpkgStatus {
  static let path = "/var/lib/dpkg/status"

  static func parse(_ lines: InputLines) throws(InputError) -> [PackageEntry] {
    var installed: [Stanza] = []
    for stanza in try ControlStanzas.parse(lines) {
      let status = try stanza.required("Status", in: lines)
      if status.split(separator: " ").last == "installed" {
        installed.append(
          Stanza(name: try stanza.required("Package", in: lines), fields: stanza.fields))
      }
    }
    return entries(of: installed)
  }

  private struct Stanza {
    let name: String
    let dependencies: [[String]]
    let provided: [String]

    init(name: String, fields: [String: String]) {
      self.name = name
      dependencies = ["Pre-Depends", "Depends"].flatMap { relations(fields[$0]) }
      provided = relations(fields["Provides"]).flatMap { $0 }
    }
  }

  private static func entries(of stanzas: [Stanza]) -> [PackageEntry] {
    let installed = Set(stanzas.map(\.name))
    var provider: [String: String] = [:]
    for stanza in stanzas {
      for name in stanza.provided where provider[name] == nil { provider[name] = stanza.name }
    }
    // A package that is installed for several architectures has as many stanzas.
    var positions: [String: Int] = [:]
    var entries: [PackageEntry] = []
    for stanza in stanzas {
      let dependencies = stanza.dependencies.map { alternatives in
        let satisfying = alternatives.lazy.compactMap { name in
          installed.contains(name) ? name : provider[name]
        }.first
        return satisfying ?? alternatives[0]
      }.filter { $0 != stanza.name }
      if let position = positions[stanza.name] {
        entries[position].dependencies += dependencies
      } else {
        positions[stanza.name] = entries.count
        entries.append(PackageEntry(name: stanza.name, dependencies: dependencies))
      }
    }
    return entries
  }

  /// The names in a field such as `Depends`, with an inner list for alternatives.
  private static func relations(_ field: String?) -> [[String]] {
    let relations = (field ?? "").split(separator: ",").map { relation in
      relation.split(separator: "|").compactMap { alternative in
        alternative.split(whereSeparator: { " \t(:[<".contains($0) }).first.map(String.init)
      }
    }
    return relations.filter { !$0.isEmpty }
  }
}
