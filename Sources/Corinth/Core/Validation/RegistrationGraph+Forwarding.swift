// SPDX-License-Identifier: MIT

/// Forwards with an unclear or unfit target.
extension RegistrationGraph {
  var forwardingFindings: [ValidationFinding] {
    let circles = circlesOfForwards.map { records in
      let path = (records + [records[0]]).map(\.key)
      return ValidationFinding(
        .forwarding, of: records, path: path,
        "Forwarding leads to itself: \(path.pathText).",
        placeLines: records.placeLines(), showsPath: false,
        hints: ["let one of them forward to a registration with a factory."])
    }
    return records.compactMap(ambiguity) + forwardsToNothing + forwardsToOthers + circles
  }

  /// Forwards to classes that do not conform to the forwarded type.
  private var forwardsToOthers: [ValidationFinding] {
    var seen: Set<UInt64> = []
    return nodes.indices.compactMap { number in
      let forward = nodes[number].record
      guard forward.isForwarding,
        let served = successors(of: number, where: \.isForward).first
      else { return nil }
      let target = nodes[served].record
      // A target that is a forward too serves instances of a further type.
      guard !target.isForwarding,
        servability(of: target.key.product, as: forward.key.product) == .bySubclassOnly,
        seen.insert(forward.serial).inserted
      else { return nil }
      return ValidationFinding(
        .forwarding, of: [forward, target], path: [forward.key, target.key],
        "\(forward.key) is forwarded to \(target.key), a class that does not conform to it.",
        placeLines: ["forwarded at \(forward.location)"] + [target].placeLines(), showsPath: false,
        hints: [
          "declare the conformance; if the factory returns a subclass that has it, register that subclass under its type."
        ])
    }
  }

  /// A type that several registrations of a container are to serve.
  private func ambiguity(_ record: RegistrationRecord) -> ValidationFinding? {
    guard let target = record.forwardedKey else { return nil }
    let others = record.attributes.replacedRegistrations.filter { other in
      guard let key = other.forwardedKey else { return true }
      return key != target && record.owner.ownSlot(of: key)?.registration != nil
    }
    guard let last = others.last else { return nil }
    let former = last.forwardedKey.map { "was to \($0) before" } ?? "was registered itself before"
    return ValidationFinding(
      .forwarding, path: [record.key],
      places: others.map { .init(key: $0.forwardedKey ?? record.key, location: $0.location) }
        + [.init(key: target, location: record.location)],
      serial: record.serial,
      "\(record.key) is forwarded to \(target), and \(former).",
      placeLines: others.map { other in
        "\(other.forwardedKey.map { "forwarded to \($0)" } ?? "registered") at \(other.location)"
      } + ["forwarded to \(target) at \(record.location)"],
      hints: [
        "let one of them implement it, or give each a name; a collection takes contribute(to:)."
      ])
  }

  private var forwardsToNothing: [ValidationFinding] {
    var seen: Set<UInt64> = []
    return nodes.indices.compactMap { number in
      let node = nodes[number]
      guard node.record.isForwarding,
        case .missing(let key)? = node.edges.first(where: { $0.isForward && $0.isMissing })?.target,
        seen.insert(node.record.serial).inserted
      else { return nil }
      return ValidationFinding(
        .forwarding, of: [node.record], path: path(to: number) + [key],
        "\(node.record.key) is forwarded to \(key), and nothing is registered for that.",
        placeLines: ["forwarded at \(node.record.location)"],
        hints: node.container.suggestions(for: key))
    }
  }
}
