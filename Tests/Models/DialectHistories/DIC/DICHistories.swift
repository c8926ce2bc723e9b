// SPDX-License-Identifier: MIT

import TestSupport

enum DICHistories: RandomHistories {
  static func program(_ random: inout SeededGenerator) -> [DICCall] {
    var generator = DICGenerator(&random)
    return generator.program(&random)
  }

  static func modeled(_ program: [DICCall]) -> [String] { DICWorld<DICModel>(program).run() }

  static func observed(_ program: [DICCall], following expected: [String]) -> [String] {
    DICWorld<DICAdapter>(Array(program.prefix(expected.count))).run(following: expected)
  }

  static func smaller(_ call: DICCall) -> [DICCall] {
    guard case .register(let place, let registration) = call else { return [] }
    return removingOne(of: \.during, in: registration).map { .register(place, $0) }
  }
}

/// Runs a program, and says what each call does.
final class DICWorld<Subject: DICSubject> {
  private let program: [DICCall]
  private let ledger = Ledger()
  private let subject: Subject
  private var places: [Int: Subject.Place] = [:]
  private var lists: [Int: Subject.List] = [:]
  private var waits: [Int: Bool] = [:]
  private var kept: [Int: Any] = [:]

  init(_ program: [DICCall]) {
    self.program = program
    subject = Subject(ledger)
  }

  func run(following expected: [String]? = nil) -> [String] {
    var outcomes: [String] = []
    for call in program {
      let result = perform(call)
      if subject.hasEnded { break }
      outcomes.append(ledger.outcome(result, expecting: expected?[outcomes.count]))
    }
    return outcomes
  }

  private func perform(_ call: DICCall) -> String {
    switch call {
    case .create(let place, let form): places[place] = subject.create(form)
    case .copy(let place, let other):
      guard let builder = builder(place) else { return "-" }
      places[other] = builder
    case .build(let place, let other):
      guard let builder = builder(place) else { return "-" }
      places[other] = subject.build(builder)
    case .drop(let place): places[place] = nil
    case .register(let place, let registration):
      guard let found = places[place] else { return "-" }
      let form = subject.form(found)
      guard form.takesRegistrations else { return "-" }
      if registration.slot == .throwing, !form.takesThrowing { return "-" }
      if registration.slot == .singleton, !form.takesSingletons { return "-" }
      register(registration.kind.kind, registration, in: found)
    case .load(let place, let kind, let form, let keep):
      guard let found = places[place] else { return "-" }
      if subject.form(found) == .builder || mustNotWait(subject.form(found)) { return "-" }
      let isOptional = subject.form(found).loadsOptionally
      return load(kind.kind, isOptional ? form : .certain, from: found, keep: keep)
    case .unregister(let place, let keeping):
      guard let found = places[place], subject.form(found).lists else { return "-" }
      subject.unregister(found, keepingCapacity: keeping)
    case .list(let place, let list, let throwable):
      guard let found = places[place], subject.form(found).lists else { return "-" }
      if mustNotWait(subject.form(found)) { return "-" }
      waits[list] = subject.form(found) == .async
      let made = subject.list(found, throwable: throwable && subject.form(found) != .mini)
      lists[list] = made
      return "lists \(KindNumber.all.filter { has($0, in: made) }.map { $0.name })"
    case .run(let list, let kind):
      guard let found = lists[list] else { return "-" }
      if ledger.depth > 0, waits[list] == true { return "-" }
      return run(kind.kind, in: found)
    case .forget(let place):
      kept[place] = nil
      lists[place] = nil
    }
    return "done"
  }

  /// A builder would block one of the few threads that run asynchronous calls.
  private func mustNotWait(_ form: DICForm) -> Bool { form == .async && ledger.depth > 0 }

  private func builder(_ place: Int) -> Subject.Place? {
    places[place].flatMap { subject.form($0) == .builder ? $0 : nil }
  }

  private func has<K: Kind>(_ kind: K.Type, in list: Subject.List) -> Bool {
    subject.has(kind, in: list)
  }

  private func run<K: Kind>(_ kind: K.Type, in list: Subject.List) -> String {
    guard subject.has(kind, in: list) else { return "-" }
    do { return K.text(try subject.run(kind, in: list)) } catch { return "throws \(error)" }
  }

  private func load<K: Kind>(
    _ kind: K.Type, _ form: DICLoad, from place: Subject.Place, keep: Int?
  ) -> String {
    do {
      let found = try subject.load(kind, form, from: place)
      if let keep { kept[keep] = found }
      return OptionalKind<K>.text(found)
    } catch {
      if subject.isMiss(error, of: subject.form(place)) { return "misses" }
      return "throws \(error)"
    }
  }

  private func register<K: Kind>(
    _ kind: K.Type, _ registration: DICRegistration, in place: Subject.Place
  ) {
    let ledger = ledger
    let shared = registration.style == .kept ? K.make(ledger) : nil
    subject.register(kind, registration, in: place) { [unowned self] in
      ledger.note("f\(registration.number)")
      return try ledger.within {
        if ledger.depth < 4 {
          for call in registration.during where !self.subject.hasEnded {
            ledger.note("\(call) -> \(self.perform(call))")
          }
        }
        switch registration.style {
        case .failing where registration.slot == .throwing:
          throw BuilderFailed(number: registration.number)
        case .fresh, .failing: return K.make(ledger)
        case .none: return K.makeNone(ledger)
        case .kept: return shared ?? K.make(ledger)
        }
      }
    }
  }
}
