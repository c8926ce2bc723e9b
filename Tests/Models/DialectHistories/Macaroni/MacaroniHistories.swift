// SPDX-License-Identifier: MIT

import TestSupport

enum MacaroniHistories: RandomHistories {
  static func program(_ random: inout SeededGenerator) -> [MacaroniCall] {
    var generator = MacaroniGenerator(&random)
    return generator.program(&random)
  }

  static func modeled(_ program: [MacaroniCall]) -> [String] {
    MacaroniWorld<MacaroniModel>(program).run()
  }

  static func observed(_ program: [MacaroniCall], following expected: [String]) -> [String] {
    MacaroniWorld<MacaroniAdapter>(program).run()
  }

  static func smaller(_ call: MacaroniCall) -> [MacaroniCall] {
    guard case .register(let place, let registration) = call else { return [] }
    return removingOne(of: \.during, in: registration).map { .register(place, $0) }
  }
}

/// Runs a program, and says what each call does.
final class MacaroniWorld<Subject: MacaroniSubject> {
  private let program: [MacaroniCall]
  private let ledger = Ledger()
  private var subject: Subject
  private var containers: [Int: Subject.Container] = [:]
  private var hosts: [Int: any MacaroniHost] = [:]
  private var kept: [Int: Any] = [:]
  /// Hosts whose properties are being read: those that a death leaves without a value.
  private var reading: [Int] = []
  private var locked: Set<ObjectIdentifier> = []
  private var outcomes: [String] = []

  init(_ program: [MacaroniCall]) {
    self.program = program
    subject = Subject(ledger)
  }

  func run() -> [String] {
    var isUnderWay = false
    onThreadsThatMayDie { [self] in
      if isUnderWay { finish("died") }
      guard outcomes.count < program.count else { return false }
      isUnderWay = true
      let result = perform(program[outcomes.count])
      isUnderWay = false
      finish(result)
      return true
    }
    subject.setPolicy(nil)
    return outcomes
  }

  private func finish(_ result: String) {
    for place in reading { hosts[place] = nil }
    reading = []
    outcomes.append(ledger.outcome(result))
  }

  private func perform(_ call: MacaroniCall) -> String {
    switch call {
    case .create(let place, let parent):
      if let parent, containers[parent] == nil { return "-" }
      containers[place] = subject.create(parent: parent.flatMap { containers[$0] })
    case .drop(let place): containers[place] = nil
    case .register(let place, let registration):
      guard let container = containers[place] else { return "-" }
      #if DEBUG
        // An assertion there.
        if locked.contains(ObjectIdentifier(container)) { return "-" }
      #endif
      register(registration, registration.key.kind.kind, in: container)
    case .resolve(let place, let key, let form, let keep):
      guard let container = containers[place] else { return "-" }
      return resolve(key.kind.kind, key, form, from: container, keep: keep)
    case .resolveTaking(let place, let key, let form, let parameter):
      guard let container = containers[place] else { return "-" }
      return resolve(
        key.kind.kind, key, form, from: container, parameter: self.parameter(parameter))
    case .isResolvable(let place, let key):
      guard let container = containers[place] else { return "-" }
      return isResolvable(key.kind.kind, key, in: container)
    case .cleanup(let place):
      guard let container = containers[place] else { return "-" }
      subject.cleanup(container)
    case .lock(let place):
      guard let container = containers[place] else { return "-" }
      locked.insert(ObjectIdentifier(container))
      subject.lock(container)
    case .unlock(let place):
      guard let container = containers[place] else { return "-" }
      locked.remove(ObjectIdentifier(container))
      subject.unlock(container)
    case .policy(let policy):
      let settled: MacaroniPolicyOf<Subject.Container>?
      switch policy {
      case nil: settled = nil
      case .singleton(let place):
        guard let container = containers[place] else { return "-" }
        settled = .singleton(container)
      case .enclosing(let place): settled = .enclosing(default: place.flatMap { containers[$0] })
      case .custom(let even, let odd):
        settled = .custom(even.flatMap { containers[$0] }, odd.flatMap { containers[$0] })
      }
      subject.setPolicy(settled)
    case .host(let place, let key, let form, let mode):
      guard let settled = self.mode(mode) else { return "-" }
      guard !reading.contains(place) else { return "-" }
      hosts[place] = nil
      let host = host(key.kind.kind, key, form, settled)
      hosts[place] = host
      return host.text
    case .read(let place):
      guard let host = hosts[place] else { return "-" }
      // Who died may have kept the object of a weak property alive.
      if ledger.hasDied, host.isWeak { return "-" }
      reading.append(place)
      defer { reading.removeLast() }
      return host.read()
    case .project(let place):
      guard let host = hosts[place] else { return "-" }
      reading.append(place)
      defer { reading.removeLast() }
      return host.project()
    case .assign(let place):
      guard let host = hosts[place] else { return "-" }
      host.assign()
    case .dropHost(let place):
      guard !reading.contains(place) else { return "-" }
      hosts[place] = nil
    case .pass(let key, let source):
      guard let settled = self.source(source) else { return "-" }
      return pass(key.kind.kind, key, settled)
    case .forget(let place): kept[place] = nil
    }
    return "done"
  }

  private func parameter(_ parameter: MacaroniParameter) -> Any {
    switch parameter {
    case .number: 100
    case .empty: Int?.none as Any
    case .widget: Widget(ledger)
    }
  }

  private func mode(_ mode: MacaroniMode) -> MacaroniModeOf<Subject.Container>? {
    switch mode {
    case .usual: .usual
    case .capturing(let place, let labeled):
      containers[place].map { .capturing($0, labeled: labeled) }
    case .lazily: .lazily
    case .eager(let place?): containers[place].map { .eager($0) }
    case .eager(nil): .eager(nil)
    case .holding: .holding
    }
  }

  private func source(_ source: MacaroniSource) -> MacaroniSourceOf<Subject.Container>? {
    switch source {
    case .object(let place): hosts[place].map { .object($0) }
    case .container(let place): containers[place].map { .container($0) }
    case .resolved(let place, let spelled):
      containers[place].map { .resolved($0, spelled: spelled) }
    case .value: .value
    case .wrongValue: .wrongValue
    case .plain: .plain
    }
  }

  private func host<K: Kind>(
    _ kind: K.Type, _ key: MacaroniKey, _ form: MacaroniHostForm,
    _ mode: MacaroniModeOf<Subject.Container>
  ) -> any MacaroniHost {
    let settled: MacaroniHostFormOf<Subject.Container> =
      switch form {
      case .object: .object
      case .module(let place): .module(place.flatMap { containers[$0] })
      case .weak: .weak
      case .structure: .structure
      }
    return subject.host(kind, key.alternative, settled, mode)
  }

  private func pass<K: Kind>(
    _ kind: K.Type, _ key: MacaroniKey, _ source: MacaroniSourceOf<Subject.Container>
  ) -> String {
    K.text(subject.pass(kind, key.alternative, source))
  }

  private func isResolvable<K: Kind>(
    _ kind: K.Type, _ key: MacaroniKey, in container: Subject.Container
  ) -> String {
    "\(subject.isResolvable(kind, key.alternative, in: container))"
  }

  private func resolve<K: Kind>(
    _ kind: K.Type, _ key: MacaroniKey, _ form: MacaroniForm, from container: Subject.Container,
    keep: Int? = nil, parameter: Any? = nil
  ) -> String {
    do {
      let value =
        if let parameter {
          try subject.resolve(kind, key.alternative, form, from: container, parameter: parameter)
        } else {
          try subject.resolve(kind, key.alternative, form, from: container)
        }
      if let keep { kept[keep] = value }
      return OptionalKind<K>.text(value)
    } catch {
      return "throws \(error)"
    }
  }

  private func register<K: Kind>(
    _ registration: MacaroniRegistration, _ kind: K.Type, in container: Subject.Container
  ) {
    let closure = closure(registration, kind)
    if registration.takes {
      subject.register(
        kind, registration.key.alternative, spelled: registration.isSpelled, in: container,
        taking: { closure(text(of: $0)) })
    } else {
      subject.register(
        kind, registration.key.alternative, spelled: registration.isSpelled, in: container,
        { closure("") })
    }
  }

  private func closure<K: Kind>(
    _ registration: MacaroniRegistration, _ kind: K.Type
  ) -> (String) -> K.Value {
    let ledger = ledger
    let shared = registration.style == .kept ? K.make(ledger) : nil
    var first: K.Value?
    return { [unowned self] argument in
      ledger.note("f\(registration.number)(\(argument))")
      return ledger.within {
        if ledger.depth < 4 {
          for call in registration.during { ledger.note("\(call) -> \(self.perform(call))") }
        }
        switch registration.style {
        case .fresh: return K.make(ledger)
        case .none: return K.makeNone(ledger)
        case .kept: return shared ?? K.make(ledger)
        case .once:
          if let first { return first }
          let made = K.make(ledger)
          first = made
          return made
        }
      }
    }
  }
}
