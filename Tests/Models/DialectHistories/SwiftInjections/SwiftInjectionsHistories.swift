// SPDX-License-Identifier: MIT

import TestSupport

enum SwiftInjectionsHistories: RandomHistories {
  static func program(_ random: inout SeededGenerator) -> [SwiftInjectionsCall] {
    var generator = SwiftInjectionsGenerator(&random)
    return generator.program(&random)
  }

  static func modeled(_ program: [SwiftInjectionsCall]) -> [String] {
    SwiftInjectionsWorld<SwiftInjectionsModel>(program).run()
  }

  static func observed(_ program: [SwiftInjectionsCall], following expected: [String]) -> [String] {
    SwiftInjectionsWorld<SwiftInjectionsAdapter>(Array(program.prefix(expected.count))).run()
  }

  static func smaller(_ call: SwiftInjectionsCall) -> [SwiftInjectionsCall] {
    guard case .define(let place, let definition) = call.operation else { return [] }
    let parts: [WritableKeyPath<InjectionsDefinition, [InjectionsStep]>] = [
      \.before, \.within, \.after,
    ]
    return parts.flatMap { removingOne(of: $0, in: definition) }
      .map { SwiftInjectionsCall(operation: .define(place, $0)) }
  }
}

/// Runs a program, and says what each call does.
final class SwiftInjectionsWorld<Subject: SwiftInjectionsSubject> {
  private let program: [SwiftInjectionsCall]
  private let ledger = Ledger()
  private let subject: Subject
  private var assemblies: [Int: (assembly: Subject.Assembly, isShared: Bool)] = [:]
  private var definitions: [Int: InjectionsDefinition] = [:]
  private var kept: [Int: Any] = [:]
  private var widgets: [() -> Widget?] = []
  /// Singletons of shared assemblies outlive the program.
  private let suffix: String

  init(_ program: [SwiftInjectionsCall]) {
    self.program = program
    subject = Subject(ledger)
    suffix = "\(programs.add())"
  }

  func run() -> [String] {
    var outcomes: [String] = []
    for call in program {
      let result = perform(call)
      if subject.hasEnded { break }
      outcomes.append(ledger.outcome(result))
    }
    // Cycles would stay.
    for widget in widgets { widget()?.links = [] }
    return outcomes
  }

  private func perform(_ call: SwiftInjectionsCall) -> String {
    switch call.operation {
    case .create(let place, let assembly):
      let made = subject.assembly(assembly)
      let isShared = assembly == .firstInstance || assembly == .secondInstance
      let isSame = isShared && made === subject.assembly(assembly)
      assemblies[place] = (made, isShared)
      return "made \(isSame)"
    case .drop(let place): assemblies[place] = nil
    case .define(let place, let definition): definitions[place] = definition
    case .access(let access, let keep):
      guard let assembly = access.assembly, let definition = definitions[access.definition],
        assemblies[assembly] != nil
      else { return "-" }
      return self.access(definition.kind.kind, access, from: assembly, keep: keep).text
    case .existing(let place, let lookup): return existing(lookup.kind.kind, lookup, place).text
    case .forget(let place): kept[place] = nil
    }
    return "done"
  }

  private typealias Result = (text: String, value: Any?)

  private func existing<K: Kind>(_ kind: K.Type, _ lookup: InjectionsLookup, _ place: Int) -> Result
  {
    guard let (assembly, isShared) = assemblies[place] else { return ("-", nil) }
    let key = isShared ? lookup.key.map { "\($0) \(suffix)" } : lookup.key
    let found = subject.existing(kind, key: key, in: assembly)
    return (OptionalKind<K>.text(found), found)
  }

  private func access<K: Kind>(
    _ kind: K.Type, _ access: InjectionsAccess, from place: Int, keep: Int? = nil
  ) -> Result {
    let place = access.assembly ?? place
    guard !subject.hasEnded, let definition = definitions[access.definition],
      let (assembly, isShared) = assemblies[place]
    else { return ("-", nil) }
    var key = definition.key
    if isShared, definition.scope == .singleton || key != nil { key = "\(key ?? "one") \(suffix)" }
    let value = subject.define(kind, key: key, scope: definition.scope, in: assembly) { made in
      ledger.note("d\(access.definition)")
      return ledger.within { self.value(kind, definition.made.kind, definition, made, place) }
    }
    if let keep { kept[keep] = value }
    return (K.text(value), value)
  }

  /// What a block does.
  private func value<K: Kind, Made: Kind>(
    _ kind: K.Type, _ made: Made.Type, _ definition: InjectionsDefinition,
    _ handle: Subject.Definition, _ place: Int
  ) -> K.Value {
    _ = run(definition.before, place)
    func make() -> Made.Value {
      let links = run(definition.within, place)
      let value = made.make(ledger)
      remember(value, links)
      ledger.note("makes \(Made.text(value))")
      return value
    }
    let value: Made.Value
    switch definition.making {
    case .operation: value = subject.initialize(made, handle, byMethod: false, make)
    case .method: value = subject.initialize(made, handle, byMethod: true, make)
    case .twice:
      _ = subject.initialize(made, handle, byMethod: false, make)
      value = subject.initialize(made, handle, byMethod: false, make)
    case .existing(let place):
      let existing = kept[place] as? Made.Value
      value = subject.initialize(made, handle, byMethod: false) { existing ?? make() }
    case .nothing: value = make()
    }
    let links = run(definition.after, place)
    (value as? Widget)?.links += links
    guard let result = value as? K.Value else { preconditionFailure("not a \(K.name)") }
    return result
  }

  private func remember(_ value: Any, _ links: [Any]) {
    guard let widget = value as? Widget else { return }
    widget.links += links
    widgets.append { [weak widget] in widget }
  }

  /// - Returns: what was found, to be held.
  private func run(_ steps: [InjectionsStep], _ place: Int) -> [Any] {
    if ledger.depth > 3 { return [] }
    return steps.compactMap { step in
      let result: Result
      switch step {
      case .access(let access):
        guard let definition = definitions[access.definition] else { return nil }
        result = self.access(definition.kind.kind, access, from: place)
      case .existing(let lookup): result = existing(lookup.kind.kind, lookup, place)
      }
      ledger.note("\(step) -> \(result.text)")
      return result.value
    }
  }
}

private let programs = AtomicCounter()
