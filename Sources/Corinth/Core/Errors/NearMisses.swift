// SPDX-License-Identifier: MIT

/// The registrations that resemble a missing key: of the same type under other names or with other
/// arguments, of the type's optional, or of the type that is wrapped in the key's optional.
struct NearMisses: Sendable {
  /// The purpose of the lookup of a missing key.
  enum Purpose: Equatable, Sendable {
    case resolving
    /// `replace`, which looks in a single container.
    case replacing
    /// A registration that has to override, here: the lookup is in a single container.
    case overriding(SourceLocation)
    /// `decorate`, which is for all names and arguments.
    case decorating
  }

  private static let hintsAtMost = 5

  private let key: RegistrationKey
  private let purpose: Purpose
  private var closest: [Candidate] = []
  private var hasMore = false
  private var hasContribution = false

  private struct Candidate: Sendable {
    let key: RegistrationKey
    let location: SourceLocation
    let similarity: Int
    let position: UInt64
  }

  /// - Parameters:
  ///   - key: the missing key.
  ///   - purpose: the purpose of the lookup.
  init(of key: RegistrationKey, for purpose: Purpose = .resolving) {
    self.key = key
    self.purpose = purpose
    closest.reserveCapacity(Self.hintsAtMost + 1)
  }

  /// Whether a registration of the key would be worth a hint.
  func mayHave(_ candidate: RegistrationKey) -> Bool {
    if candidate == key, purpose == .resolving { return false }
    // A contribution says no more than an earlier contribution of the type.
    return !candidate.isContribution || !hasContribution && purpose != .replacing
  }

  func has(_ candidate: RegistrationKey) -> Bool { closest.contains { $0.key == candidate } }

  /// Adds a registration. Among equally similar registrations, the first is shown first.
  ///
  /// - Parameter start: the length of the names' common start, unless the names are equal.
  mutating func add(
    _ candidate: RegistrationKey, sharing start: Int, at location: SourceLocation,
    position: UInt64
  ) {
    if candidate.isContribution { hasContribution = true }
    let similarity = candidate.name == key.name ? .max : start
    let place =
      closest.firstIndex {
        ($0.similarity, position) < (similarity, $0.position)
      } ?? closest.count
    if place == Self.hintsAtMost {
      hasMore = true
      return
    }
    closest.insert(
      Candidate(key: candidate, location: location, similarity: similarity, position: position),
      at: place)
    if closest.count <= Self.hintsAtMost { return }
    closest.removeLast()
    hasMore = true
  }

  var hasCandidates: Bool { closest.first != nil }

  /// The keys named in the hints.
  var keys: [RegistrationKey] { closest.map(\.key) }

  /// Hints about the missing key. Names with the longest common start come first.
  var hints: [String] {
    if closest.first == nil {
      return switch purpose {
      case .resolving: [hintWithoutCandidates]
      case .replacing: ["register it: only a registration of this container can be replaced."]
      case .overriding(let location):
        [
          "with `.require`, which holds at \(location), a registration overrides one of this container: leave it out to "
            + "register a first one."
        ]
      case .decorating: ["decorate what is registered, or remove the decorator."]
      }
    }
    return closest.map { "\(hint(for: $0.key)) (\($0.location))" }
      + (hasMore ? ["... and more like these"] : [])
  }

  private var hintWithoutCandidates: String {
    guard key == RegistrationKey(product: key.product),
      let element = elementType(ofArray: key.product), !isGenericValue(element)
    else {
      return "register it in this container before it is resolved."
    }
    return
      "register or contribute an element: `container.contribute(to: \(expression(of: element))) { ... }`. If there may "
      + "be none, declare the parameter as \(text(of: key))?; resolveAll returns an empty array."
  }

  /// A hint about a key that only request scopes ask for: the value may be one that every request
  /// brings. `nil` for a key with candidates, and for a key that no input has.
  var hintAboutInput: String? {
    guard !hasCandidates, purpose == .resolving, key == RegistrationKey(product: key.product),
      elementType(ofArray: key.product) == nil
    else { return nil }
    return
      "or, if each request brings one, declare it with `registerInput(\(expression(of: key.product)))`, and give it to "
      + "`withScope(providing:do:)`."
  }

  private func hint(for candidate: RegistrationKey) -> String {
    if candidate.product == key.product {
      if candidate.isContribution { return contributionHint }
      return candidate.name == key.name ? argumentHint(candidate) : nameHint(candidate)
    }
    let (asked, registered) = (text(of: key), text(of: candidate))
    if purpose == .decorating { return "\(registered) is registered: decorate that" }
    if case .overriding = purpose, isSubtype(candidate.product, of: key.product) {
      return "\(registered) is registered, which is \(asked): override that"
    }
    if isOptional(candidate.product, of: key.product) {
      return "\(registered) is registered: resolve that, or register \(asked)"
    }
    if isOptional(key.product, of: candidate.product) {
      return "\(registered) is registered: resolve it without the optional"
    }
    if isSubtype(candidate.product, of: key.product) {
      return
        "\(registered) is registered, which is \(asked): chain .implements(\(expression(of: key.product))) to it, or resolve "
        + "\(registered)"
    }
    return isSubtype(key.product, of: candidate.product)
      ? "\(registered) is registered, which \(asked) is: resolve that, or register \(asked) and chain "
        + ".implements(\(expression(of: candidate.product)))"
      : lookalikeHint(candidate.product)
  }

  /// A type of another image has no name in source code.
  private func lookalikeHint(_ candidate: any Any.Type) -> String {
    let (asked, registered) = (spelling(of: key.product), spelling(of: candidate))
    let names = (innermostType(key.product), innermostType(candidate))
    if "\(names.0)" != "\(names.1)" {
      return "\(registered) is registered, another type: resolve that, or register \(asked)"
    }
    if String(reflecting: names.0) == String(reflecting: names.1),
      let askedFile = image(of: names.0), let registeredFile = image(of: names.1),
      askedFile != registeredFile
    {
      return
        "\(registered) of \(registeredFile) is registered, and that of \(askedFile) asked for, another type: have both depend on "
        + "its module as a dynamic library"
    }
    return
      "\(registered) is registered, another type of that name: resolve that, or register \(asked)"
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
      "\(text(of: key)) is registered in a parent: \(purpose == .replacing ? "replace" : "override") it there, "
        + "or register it in this container"
    }
  }

  /// The compiler passes the content of an `any P`, unless the call says `as any P`.
  private func conversionHint(_ candidate: RegistrationKey) -> String {
    // An argument may be declared as `Any`: the static type of a passed value is a part of the key.
    if candidate.argumentList?.split(whereSeparator: { !$0.isLetter }).contains("Any") ?? false {
      return ": pass each that is declared as Any `as Any`"
    }
    guard let registered = candidate.arguments, let asked = key.arguments,
      isSubtype(asked, of: registered)
    else { return "" }
    return ": pass it `as \(spelling(of: registered))`"
  }
}
