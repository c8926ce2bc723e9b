// SPDX-License-Identifier: MIT

extension ResolutionError.Context {
  private static let hintsAtMost = 5

  /// What is registered that resembles the missing key: the same type under other names or with other
  /// arguments, or its optional twin.
  ///
  /// Looked up when asked for, by a walk over all keys of the container.
  var nearMisses: [String] {
    guard let container else { return [] }
    var hints: [String] = []
    container.registry.forEachRegistration { candidate, location in
      if let hint = hint(for: candidate) { hints.append("\(hint) (\(location))") }
    }
    guard !hints.isEmpty else {
      return ["register it before it is resolved: container.register(\(key.product).self) { ... }"]
    }
    hints.sort()
    let rest = hints.count - Self.hintsAtMost
    return hints.prefix(Self.hintsAtMost) + (rest > 0 ? ["... and \(rest) more like these"] : [])
  }

  private func hint(for candidate: RegistrationKey) -> String? {
    if candidate.product == key.product {
      if candidate.name == key.name { return argumentHint(candidate) }
      return candidate.arguments == key.arguments ? nameHint(candidate) : nil
    }
    guard candidate.name == key.name, candidate.arguments == key.arguments else { return nil }
    if isOptional(candidate.product, of: key.product) {
      return "\(candidate.product) is registered: resolve that, or register \(key.product)"
    }
    if isOptional(key.product, of: candidate.product) {
      return "\(candidate.product) is registered: resolve it without the optional"
    }
    return nil
  }

  private func nameHint(_ candidate: RegistrationKey) -> String {
    guard let name = candidate.name else {
      return "\(key.product) is registered without a name: leave the name out"
    }
    return "\(key.product) is registered under the name \(name)"
  }

  private func argumentHint(_ candidate: RegistrationKey) -> String {
    switch (candidate.argumentList, key.argumentList) {
    case (let registered?, let asked?):
      "\(key.product) is registered with arguments \(registered), asked with \(asked)"
    case (let registered?, nil):
      "\(key.product) is registered with arguments \(registered), asked without"
    case (nil, let asked?):
      "\(key.product) is registered without arguments, asked with \(asked)"
    case (nil, nil):
      "\(key.product) has been registered meanwhile: resolve it again"
    }
  }

  private func isOptional(_ type: any Any.Type, of wrapped: any Any.Type) -> Bool {
    func optional<Wrapped>(_: Wrapped.Type) -> any Any.Type { Wrapped?.self }
    return type == _openExistential(wrapped, do: optional)
  }
}
