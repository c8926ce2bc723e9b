// SPDX-License-Identifier: MIT

/// Writes metrics of a part of the service. Modules contribute sources.
package protocol MetricSource: Sendable {
  func write(to page: inout MetricsPage)
}

/// A page of metrics in the text format of Prometheus.
package struct MetricsPage: Sendable {
  package private(set) var text = ""

  package init() {}

  package enum Kind: String, Sendable {
    case counter
    case gauge
    case histogram
  }

  /// Begins a metric. Its samples follow.
  package mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  package mutating func sample(
    _ name: String, _ labels: KeyValuePairs<String, String>, _ value: some Numeric & Sendable
  ) {
    let labels = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
  }

  /// A counter with one sample.
  package mutating func counter(_ name: String, _ help: String, _ value: Int) {
    begin(name, .counter, help)
    sample(name, [:], value)
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    // "\r\n" is a single character, equal to none of these.
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
