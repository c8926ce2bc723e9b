// SPDX-License-Identifier: MIT

public import Corinth

extension DependencyGraph {
  /// The graph as a Mermaid flowchart, for a part of an application: a page shows the whole
  /// application.
  ///
  /// ```swift
  /// print(container.graph().dependencies(of: .init(Checkout.self)).mermaid())
  /// ```
  ///
  /// An arrow leads from a registration to a dependency: dotted for a dependency that is resolved
  /// later, thick for a forward. The type of the instances stands before the scope if the type is
  /// known and is not the type of the key. Modules are boxes if the graph has several. Dashed nodes
  /// are missing.
  ///
  /// Mermaid refuses more than 500 edges unless Mermaid's configuration says otherwise.
  ///
  /// - Returns: the text, with a final line break.
  /// - Complexity: O(*n* + *d*) in the numbers of registrations and dependencies.
  ///
  /// A value is read: takes no lock.
  public func mermaid() -> String {
    let modules = Dictionary(grouping: registrations.indices) { registrations[$0].module }
    var lines = ["flowchart LR"]
    for (number, module) in modules.keys.sorted().enumerated() {
      let nodes = (modules[module] ?? []).map { node($0) }
      if modules.count == 1 {
        lines += nodes.map { "  \($0)" }
      } else {
        lines.append("  subgraph m\(number)[\"\(escaped(module))\"]")
        lines += nodes.map { "    \($0)" }
        lines.append("  end")
      }
    }
    var missing: [RegistrationKey: String] = [:]
    for edge in edges {
      let target: String
      if let index = edge.target {
        target = "n\(index)"
      } else if let known = missing[edge.key] {
        target = known
      } else {
        target = "x\(missing.count)"
        missing[edge.key] = target
        lines.append("  \(target)[\"\(escaped("\(edge.key)"))\"]:::missing")
      }
      lines.append("  n\(edge.source) \(edge.kind.arrow) \(target)")
    }
    if !missing.isEmpty { lines.append("  classDef missing stroke-dasharray: 4 4") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func node(_ index: Int) -> String {
    let registration = registrations[index]
    let known = registration.otherImplementation.map { "\(escaped($0)), " } ?? ""
    let label = "\(escaped("\(registration.key)"))<br/>\(known)\(registration.role)"
    return registration.kind == .input ? "n\(index)[/\"\(label)\"/]" : "n\(index)[\"\(label)\"]"
  }

  /// Writes Mermaid's entity codes, also for markup and directives.
  private func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "#", "<", ">", "&", "`", "\\", "%": "#\(scalar.value);"
      case _ where scalar.properties.generalCategory == .control: " "
      default: "\(scalar)"
      }
    }.joined()
  }
}

extension DependencyKind {
  fileprivate var arrow: String {
    switch self {
    case .lazy: "-.->|lazy|"
    case .provider: "-.->|provider|"
    case .collection: "-->|element|"
    case .decorator: "-->|decorator|"
    case .forward: "==>"
    default: "-->"
    }
  }
}

extension ListedRegistration {
  fileprivate var role: String {
    switch kind {
    case .forwarding: "forwarded"
    case .input: "input"
    case .value: "value"
    default: "\(scope)"
    }
  }

  /// The type of the instances, if another type than the key's is known.
  var otherImplementation: String? {
    guard let implementation, implementation != key.product else { return nil }
    return "\(RegistrationKey(product: implementation))"
  }

  /// The module whose code made the registration.
  var module: String { String(location.file.prefix { $0 != "/" }) }
}
