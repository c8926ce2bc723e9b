// SPDX-License-Identifier: MIT

import TestSupport

enum SwinjectHistories: RandomHistories {
  static func program(_ random: inout SeededGenerator) -> [SwinjectCall] {
    var generator = SwinjectGenerator(&random)
    return generator.program(&random)
  }

  static func modeled(_ program: [SwinjectCall]) -> [String] {
    SwinjectWorld<SwinjectModel>().run(program)
  }

  static func observed(_ program: [SwinjectCall], following expected: [String]) -> [String] {
    SwinjectWorld<SwinjectAdapter>().run(program)
  }

  static func smaller(_ call: SwinjectCall) -> [SwinjectCall] {
    switch call {
    case .register(let place, let registration):
      smaller(registration).map { .register(place, $0) }
    case .create(let place, let parent, let scope, let behaviors, let registrations):
      smaller(registrations, Self.smaller).map {
        .create(place, parent: parent, scope, behaviors: behaviors, $0)
      }
    case .complete(let entry, let completion):
      smaller(completion).map { .complete(entry, $0) }
    case .withGraph(let place, let identifier, let fails, let during):
      smaller(during, Self.smaller).map { .withGraph(place, identifier, fails: fails, $0) }
    case .assemble(let place, let atOnce, let assemblies):
      smaller(assemblies, Self.smaller).map { .assemble(place, atOnce: atOnce, $0) }
    default: []
    }
  }

  /// The list without one of its elements, or with a smaller one.
  private static func smaller<Element>(_ list: [Element], _ smaller: (Element) -> [Element])
    -> [[Element]]
  {
    list.indices.flatMap { index in
      var without = list
      without.remove(at: index)
      return [without]
        + smaller(list[index]).map {
          var changed = list
          changed[index] = $0
          return changed
        }
    }
  }

  private static func smaller(_ registration: SwinjectRegistration) -> [SwinjectRegistration] {
    smaller(registration.during, Self.smaller).map { during in
      var changed = registration
      changed.during = during
      return changed
    }
      + smaller(registration.completions, Self.smaller).map { completions in
        var changed = registration
        changed.completions = completions
        return changed
      }
      + smaller(registration.aliases) { _ in [] }.map { aliases in
        var changed = registration
        changed.aliases = aliases
        return changed
      }
  }

  private static func smaller(_ completion: SwinjectCompletion) -> [SwinjectCompletion] {
    smaller(completion.during, Self.smaller).map {
      SwinjectCompletion(number: completion.number, during: $0)
    }
  }

  private static func smaller(_ assembly: SwinjectAssembly) -> [SwinjectAssembly] {
    smaller(assembly.registrations, Self.smaller).map {
      SwinjectAssembly(number: assembly.number, registrations: $0, loaded: assembly.loaded)
    }
      + smaller(assembly.loaded, Self.smaller).map {
        SwinjectAssembly(
          number: assembly.number, registrations: assembly.registrations, loaded: $0)
      }
  }
}

/// Runs a program, and says what each call does.
final class SwinjectWorld<Subject: SwinjectSubject> {
  private struct Failed: Error {}

  /// A value that is kept, and what reads it when it is a wrapper.
  private struct Kept {
    let value: Any
    var read: (() -> String)?
  }

  private let ledger = Ledger()
  private let subject: Subject
  private var containers: [Int: Subject.Container] = [:]
  private var views: [Int: Subject.Resolver] = [:]
  private var entries: [Int: Subject.Entry] = [:]
  private var kept: [Int: Kept] = [:]
  private var identifiers: [Int: Subject.Identifier] = [:]
  private var seen: [Subject.Identifier] = []
  /// What the closures that run have got.
  private var resolvers: [Subject.Resolver] = []
  /// What the factories and completions that run have resolved.
  private var links: [[Any]] = []
  /// How many closures the call has run.
  private var closures = 0

  init() { subject = Subject(ledger) }

  func run(_ program: [SwinjectCall]) -> [String] {
    program.map { call in
      closures = 0
      return ledger.outcome(perform(call))
    }
  }

  private func perform(_ call: SwinjectCall) -> String {
    switch call {
    case .create(let place, let parent, let scope, let behaviors, let registrations):
      if let parent, containers[parent] == nil { return "-" }
      let container = subject.create(
        parent: parent.flatMap { containers[$0] }, scope, behaviors: behaviors
      ) { container in
        for registration in registrations { register(registration, in: container) }
      }
      containers[place] = container
    case .drop(let place): containers[place] = nil
    case .view(let view, let place):
      guard let container = containers[place] else { return "-" }
      views[view] = subject.view(container)
    case .register(let place, let registration):
      guard let container = containers[place] else { return "-" }
      register(registration, in: container)
    case .scope(let place, let scope):
      guard let entry = entries[place] else { return "-" }
      subject.scope(entry, scope)
    case .complete(let place, let completion):
      guard let entry = entries[place] else { return "-" }
      complete(entry, completion)
    case .implement(let place, let key):
      guard let entry = entries[place] else { return "-" }
      subject.implement(entry, key.kind.kind, key.name)
    case .forward(let place, let key, let entry):
      guard let container = containers[place], let entry = entries[entry] else { return "-" }
      subject.forward(key.kind.kind, key.name, to: entry, in: container)
    case .resolve(let target, let key, let arguments, let form, let keep):
      guard let resolver = resolver(target) else { return "-" }
      return resolve(key.kind.kind, key.name, arguments, form, from: resolver, keep: keep)
    case .read(let place):
      guard let read = kept[place]?.read else { return "-" }
      return read()
    case .forget(let place): kept[place] = nil
    case .identify(let target, let keep):
      guard let resolver = resolver(target) else { return "-" }
      guard let identifier = subject.identify(resolver) else { return "nil" }
      identifiers[keep] = identifier
      return text(identifier)
    case .withGraph(let place, let identifier, let fails, let during):
      guard let container = containers[place], let identifier = identifiers[identifier] else {
        return "-"
      }
      return withGraph(container, identifier, fails: fails, during)
    case .removeAll(let place):
      guard let container = containers[place] else { return "-" }
      subject.removeAll(container)
    case .reset(let place, let scope, let kind):
      guard let container = containers[place] else { return "-" }
      if let kind {
        subject.reset(container, scope, kind.kind)
      } else {
        subject.reset(container, scope)
      }
    case .has(let place, let key):
      guard let container = containers[place] else { return "-" }
      return "\(subject.has(key.kind.kind, key.name, in: container))"
    case .behave(let place, let behavior):
      guard let container = containers[place] else { return "-" }
      subject.behave(container, behavior)
    case .assemble(let place, let atOnce, let assemblies):
      guard let container = containers[place] else { return "-" }
      subject.assemble(container, atOnce: atOnce, assemblies.map(assembly))
    case .describe(let place):
      guard let container = containers[place] else { return "-" }
      return subject.describe(container)
    }
    return "done"
  }

  private func resolver(_ target: SwinjectTarget) -> Subject.Resolver? {
    switch target {
    case .container(let place): containers[place].map(subject.resolver)
    case .view(let place): views[place]
    case .resolver: resolvers.last
    }
  }

  private func text(_ identifier: Subject.Identifier) -> String {
    if let index = seen.firstIndex(of: identifier) { return "graph \(index)" }
    seen.append(identifier)
    return "graph \(seen.count - 1)"
  }

  private func resolve<K: Kind>(
    _ kind: K.Type, _ name: String?, _ arguments: SwinjectArguments, _ form: SwinjectForm,
    from resolver: Subject.Resolver, keep: Int?
  ) -> String {
    let (value, text): (Kept, String)
    switch subject.resolve(kind, name, arguments, form, from: resolver) {
    case .missing: return "nil"
    case .empty: return "empty"
    case .unexpected: return "unexpected"
    case .value(let found):
      (value, text) = (Kept(value: found), K.text(found))
    case .wrapper(let wrapper, let read):
      (value, text) = (Kept(value: wrapper, read: { K.text(read()) }), "wrapper")
    }
    if let keep { kept[keep] = value }
    if !links.isEmpty { links[links.count - 1].append(value.value) }
    return text
  }

  private func withGraph(
    _ container: Subject.Container, _ identifier: Subject.Identifier, fails: Bool,
    _ during: [SwinjectCall]
  ) -> String {
    do {
      return try subject.withGraph(container, identifier) { container in
        let results = performAll(during, with: subject.resolver(container))
        if fails { throw Failed() }
        return results
      }
    } catch {
      return "throws"
    }
  }

  /// Performs the calls of a closure, which has got a resolver.
  @discardableResult
  private func performAll(_ calls: [SwinjectCall], with resolver: Subject.Resolver) -> String {
    resolvers.append(resolver)
    defer { resolvers.removeLast() }
    return ledger.within {
      // Cycles end here.
      closures += 1
      guard ledger.depth < 5, closures < 40 else { return "deep" }
      for call in calls {
        if links.isEmpty { ledger.settle() }
        ledger.note("\(call) -> \(perform(call))")
      }
      return "done"
    }
  }

  private func by(_ resolver: Subject.Resolver) -> String {
    subject.number(resolver).map { "c#\($0)" } ?? "view"
  }

  private func register(_ registration: SwinjectRegistration, in container: Subject.Container) {
    let entry = register(registration, registration.key.kind.kind, in: container)
    if let scope = registration.scope { subject.scope(entry, scope) }
    for completion in registration.completions { complete(entry, completion) }
    for alias in registration.aliases {
      subject.implement(entry, alias.kind.kind, alias.name)
    }
    if let place = registration.entry { entries[place] = entry }
  }

  private func register<K: Kind>(
    _ registration: SwinjectRegistration, _ kind: K.Type, in container: Subject.Container
  ) -> Subject.Entry {
    let ledger = ledger
    return subject.register(kind, registration.key.name, registration.shape, in: container) {
      [unowned self] resolver, arguments in
      ledger.note("f\(registration.number)(\(arguments)) by \(by(resolver))")
      links.append([])
      performAll(registration.during, with: resolver)
      let found = links.removeLast()
      let made: K.Value =
        switch registration.style {
        case .none: K.makeNone(ledger)
        case .derived: (Gadget(ledger) as Any) as? K.Value ?? K.make(ledger)
        case .fresh: K.make(ledger)
        }
      (made as? Widget)?.links = found
      ledger.note("f\(registration.number) made \(K.text(made))")
      return made
    }
  }

  private func complete(_ entry: Subject.Entry, _ completion: SwinjectCompletion) {
    let ledger = ledger
    subject.complete(entry) { [unowned self] resolver, instance in
      ledger.note("d\(completion.number)(\(described(instance))) by \(by(resolver))")
      links.append([])
      performAll(completion.during, with: resolver)
      let found = links.removeLast()
      (instance as? Widget)?.links += found
    }
  }

  private func described(_ instance: Any) -> String {
    if let widget = instance as? Widget { return widget.text }
    if let number = instance as? Int { return "\(number)" }
    return (instance as? Parcel).map(ParcelKind.text) ?? "\(instance)"
  }

  private func assembly(_ assembly: SwinjectAssembly)
    -> SwinjectAssemblyOf<Subject.Container, Subject.Resolver>
  {
    SwinjectAssemblyOf(
      assemble: { [unowned self] container in
        ledger.note("a\(assembly.number) by \(by(subject.resolver(container)))")
        for registration in assembly.registrations { register(registration, in: container) }
      },
      loaded: { [unowned self] resolver in
        ledger.note("a\(assembly.number) loaded by \(by(resolver))")
        performAll(assembly.loaded, with: resolver)
      })
  }
}
