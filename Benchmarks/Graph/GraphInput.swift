// SPDX-License-Identifier: MIT

import Foundation

/// Where a dependency graph comes from.
enum GraphInput {
  case file(String)
  case dpkg

  /// - Parameter argument: the text after `--input`; `nil` chooses the graph kept with the sources.
  init(_ argument: String?) throws(InputError) {
    self =
      switch argument {
      case "dpkg": .dpkg
      case let path?: .file(path)
      case nil: .file(try Self.bundledFile())
      }
  }

  var path: String {
    switch self {
    case .file(let path): path
    case .dpkg: DpkgStatus.path
    }
  }

  func read() throws(InputError) -> PackageGraph {
    let lines = try InputLines(bytes(), of: path)
    let entries =
      switch self {
      case .file: try TabSeparatedGraph.parse(lines)
      case .dpkg: try DpkgStatus.parse(lines)
      }
    if entries.isEmpty { throw InputError(unreadable: path, "it describes no package.") }
    return PackageGraph(entries)
  }

  private func bytes() throws(InputError) -> [UInt8] {
    do {
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw InputError(unreadable: path, reason(error))
    }
  }

  private func reason(_ error: any Error) -> String {
    var isDirectory = ObjCBool(false)
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      return "there is no such file."
    }
    return isDirectory.boolValue ? "it is a directory." : error.localizedDescription
  }

  private static func bundledFile() throws(InputError) -> String {
    let name = "Benchmarks/Data/debian-bookworm-depends.tsv"
    let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
    let candidates = [root.path, FileManager.default.currentDirectoryPath].map { "\($0)/\(name)" }
    if let found = candidates.first(where: FileManager.default.fileExists(atPath:)) { return found }
    throw InputError(
      unreadable: name,
      "it is neither in \(root.path), where this program was built, nor in the current directory; "
        + "run from the root of the sources or name a file with --input FILE.")
  }
}
