// SPDX-License-Identifier: MIT

/// The registrations that resemble a missing key: the same type under other names or with other arguments, or its
/// optional twin.
struct NearMisses {
  /// What a missing key was looked up for.
  enum Purpose {
    case resolving
    /// `replace`, which looks in one container only.
    case replacing
    /// `override`, which looks in one container only.
    case overriding
  }

  private static let hintsAtMost = 5

  private let key: RegistrationKey
  private let purpose: Purpose
  private var closest: [(similarity: Int, key: RegistrationKey, location: SourceLocation)] = []
  private var count = 0
  private var hasContribution = false

  /// - Parameters:
  ///   - key: the missing key.
  ///   - purpose: what it was looked up for.
  init(of key: RegistrationKey, for purpose: Purpose = .resolving) {
    self.key = key
    self.purpose = purpose
  }

  /// Considers the registration of another key. Of equally similar ones, the last one considered is shown first.
  mutating func consider(_ candidate: RegistrationKey, at location: SourceLocation) {
    guard resembles(candidate) else { return }
    // Contributions differ in nothing that helps: one of them is enough.
    if candidate.isContribution {
      if hasContribution || purpose == .replacing { return }
      hasContribution = true
    }
    count += 1
    let similarity = similarity(of: candidate)
    let place = closest.firstIndex { $0.similarity <= similarity } ?? closest.count
    guard place < Self.hintsAtMost else { return }
    closest.insert((similarity, candidate, location), at: place)
    if closest.count > Self.hintsAtMost { closest.removeLast() }
  }

  /// Hints about the missing key. Names with the longest common start come first.
  var hints: [String] {
    guard count > 0 else {
      return switch purpose {
      case .resolving: [hintWithoutCandidates]
      case .replacing: ["register it: only a registration of this container can be replaced."]
      case .overriding:
        ["say register(...): only a registration of this container can be overridden."]
      }
    }
    let rest = count - closest.count
    return closest.map { "\(hint(for: $0.key)) (\($0.location))" }
      + (rest > 0 ? ["... and \(rest) more like these"] : [])
  }

  private var hintWithoutCandidates: String {
    guard key == RegistrationKey(product: key.product),
      let element = elementType(ofArray: key.product), !isGenericValue(element)
    else {
      return "register it in this container before it is resolved."
    }
    return
      "register or contribute an element: `container.contribute(to: (\(spelling(of: element))).self) { ... }`. If there may "
      + "be none, declare the parameter as \(text(of: key))?; resolveAll returns an empty array."
  }

  /// The number of characters that the names have in common at their start; the most when the names are equal.
  private func similarity(of candidate: RegistrationKey) -> Int {
    if candidate.name == key.name { return .max }
    guard let left = candidate.name, let right = key.name else { return 0 }
    return zip(left.description, right.description).prefix { $0 == $1 }.count
  }

  private func resembles(_ candidate: RegistrationKey) -> Bool {
    if candidate.product == key.product {
      return candidate.name == key.name || candidate.arguments == key.arguments
    }
    return candidate.name == key.name && candidate.arguments == key.arguments
      && (isOptional(candidate.product, of: key.product)
        || isOptional(key.product, of: candidate.product)
        || isSubtype(candidate.product, of: key.product)
        || isSubtype(key.product, of: candidate.product))
  }

  private func hint(for candidate: RegistrationKey) -> String {
    if candidate.product == key.product {
      if candidate.isContribution { return contributionHint }
      return candidate.name == key.name ? argumentHint(candidate) : nameHint(candidate)
    }
    let (asked, registered) = (text(of: key), text(of: candidate))
    if isOptional(candidate.product, of: key.product) {
      return "\(registered) is registered: resolve that, or register \(asked)"
    }
    if isOptional(key.product, of: candidate.product) {
      return "\(registered) is registered: resolve it without the optional"
    }
    return isSubtype(candidate.product, of: key.product)
      ? "\(registered) is registered, which is \(asked): chain .implements((\(asked)).self) to it, or resolve \(registered)"
      : "\(registered) is registered, which \(asked) is: resolve that, or register \(asked) and chain "
        + ".implements((\(registered)).self)"
  }

  private func text(of key: RegistrationKey) -> String { spelling(of: key.product) }

  private func nameHint(_ candidate: RegistrationKey) -> String {
    guard let name = candidate.name else {
      return "\(text(of: key)) is registered without a name: leave the name out"
    }
    return "\(text(of: key)) is registered under the name \(name)"
  }

  private var contributionHint: String {
    "\(text(of: key)) is contributed to [\(text(of: key))]: resolve that, or register \(text(of: key))"
  }

  private func argumentHint(_ candidate: RegistrationKey) -> String {
    switch (candidate.argumentList, key.argumentList) {
    case (let registered?, let asked?):
      "\(text(of: key)) is registered with arguments \(registered), asked with \(asked)"
        + conversionHint(candidate)
    case (let registered?, nil):
      "\(text(of: key)) is registered with arguments \(registered), asked without"
    case (nil, let asked?):
      "\(text(of: key)) is registered without arguments, asked with \(asked)"
    case (nil, nil):
      switch purpose {
      case .resolving: "\(text(of: key)) has been registered meanwhile: resolve it again"
      case .replacing:
        "\(text(of: key)) is registered in a parent: replace it there, or register it in this container"
      case .overriding:
        "\(text(of: key)) is registered in a parent: override it there, or register it in this container"
      }
    }
  }

  /// The compiler passes what an `any P` holds, unless the call says `as any P`.
  private func conversionHint(_ candidate: RegistrationKey) -> String {
    if takesAny(candidate) { return ": pass each that is declared as Any `as Any`" }
    guard let registered = candidate.arguments, let asked = key.arguments,
      isSubtype(asked, of: registered)
    else { return "" }
    return ": pass it `as \(spelling(of: registered))`"
  }

  /// Whether an argument is declared as `Any`: the static type of what is passed is a part of the key.
  private func takesAny(_ candidate: RegistrationKey) -> Bool {
    candidate.argumentList?.split { !$0.isLetter }.contains("Any") ?? false
  }
}
