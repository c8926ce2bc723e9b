// SPDX-License-Identifier: MIT

import TestSupport

enum FusionHistories: RandomHistories {
  static func program(_ random: inout SeededGenerator) -> [FusionCall] {
    var generator = FusionGenerator(&random)
    return generator.program(&random)
  }

  static func modeled(_ program: [FusionCall]) -> [String] {
    FusionWorld<FusionModel>(program).run()
  }

  static func observed(_ program: [FusionCall], following expected: [String]) -> [String] {
    FusionWorld<FusionAdapter>(program).run(following: expected)
  }

  static func smaller(_ call: FusionCall) -> [FusionCall] {
    guard case .bind(let place, let binding) = call else { return [] }
    return removingOne(of: \.during, in: binding).map { .bind(place, $0) }
  }
}

/// Runs a program, and says what each call does.
final class FusionWorld<Subject: FusionSubject> {
  private let program: [FusionCall]
  private let ledger = Ledger()
  private let subject: Subject
  private var containers: [Int: Subject.Container] = [:]
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var hosts: [Int: any FusionHost] = [:]
  private var kept: [Int: Any] = [:]

  init(_ program: [FusionCall]) {
    self.program = program
    subject = Subject(ledger)
  }

  /// - Parameter expected: by the model, which stops where the program ends, and skips what has no
  ///   order.
  func run(following expected: [String]? = nil) -> [String] {
    var outcomes: [String] = []
    for (index, call) in program.enumerated() {
      if let expected {
        if index == expected.count { break }
        if expected[index] == "skipped" {
          outcomes.append("skipped")
          continue
        }
      }
      let result = perform(call)
      if subject.hasEnded { break }
      outcomes.append(ledger.outcome(result))
    }
    return outcomes
  }

  private func perform(_ call: FusionCall) -> String {
    switch call {
    case .create(let place, let parent):
      if let parent, containers[parent] == nil { return "-" }
      let container = subject.create(parent: parent.flatMap { containers[$0] })
      numbers[ObjectIdentifier(container)] = ledger.nextNumber()
      containers[place] = container
    case .drop(let place): containers[place] = nil
    case .main(let place, let spelling):
      guard let container = containers[place] else { return "-" }
      subject.setMain(container, spelling: spelling)
    case .bind(let place, let binding):
      guard let container = container(place) else { return "-" }
      bind(binding.key.kind.kind, binding, in: container)
    case .unbind(let place, let key):
      guard let container = container(place) else { return "-" }
      unbind(key.kind.kind, key, in: container)
    case .resolve(let place, let key, let form, let keep):
      guard let container = container(place) else { return "-" }
      return resolve(key.kind.kind, key, form, from: container, keep: keep)
    case .describe(let place):
      guard let container = containers[place] else { return "-" }
      return subject.describe(container) ?? "skipped"
    case .host(let place, let key, let form):
      let settled: FusionHostFormOf<Subject.Container>
      switch form {
      case .object(let spelling): settled = .object(spelling)
      case .containerized(let place):
        guard let container = containers[place] else { return "-" }
        settled = .containerized(container)
      case .structure: settled = .structure
      case .local: settled = .local
      }
      hosts[place] = host(key.kind.kind, key, settled)
    case .read(let place): return hosts[place]?.read() ?? "-"
    case .dropHost(let place): hosts[place] = nil
    case .forget(let place): kept[place] = nil
    }
    return "done"
  }

  /// `nil` when there is none in that place; `.some(nil)` for static calls.
  private func container(_ place: Int?) -> Subject.Container?? {
    guard let place else { return .some(nil) }
    return containers[place].map { .some($0) }
  }

  private func host<K: Kind>(
    _ kind: K.Type, _ key: FusionKey, _ form: FusionHostFormOf<Subject.Container>
  ) -> any FusionHost {
    subject.host(kind, key.id.hashable, form)
  }

  private func unbind<K: Kind>(_ kind: K.Type, _ key: FusionKey, in container: Subject.Container?) {
    subject.unbind(kind, key.id.hashable, in: container)
  }

  private func resolve<K: Kind>(
    _ kind: K.Type, _ key: FusionKey, _ form: FusionForm, from container: Subject.Container?,
    keep: Int?
  ) -> String {
    switch subject.resolve(kind, key.id.hashable, form, from: container) {
    case .value(let value):
      if let keep { kept[keep] = value }
      return K.text(value)
    case .none: return "none"
    case .notRegistered(let type, let id):
      return "throws: \(type) \(id.map { "\($0)" } ?? "without id") is not registered"
    }
  }

  private func bind<K: Kind>(
    _ kind: K.Type, _ binding: FusionBinding, in container: Subject.Container?
  ) {
    let ledger = ledger
    let shared = binding.style == .kept ? K.make(ledger) : nil
    subject.bind(kind, binding, in: container) { [unowned self] container in
      let number = container.map { self.numbers[ObjectIdentifier($0)] ?? 0 }
      ledger.note("f\(binding.number)(\(number.map { "c\($0)" } ?? ""))")
      return ledger.within {
        if ledger.depth < 4 {
          for call in binding.during where !self.subject.hasEnded {
            ledger.note("\(call) -> \(self.perform(call))")
          }
        }
        switch binding.style {
        case .fresh: return K.make(ledger)
        case .none: return K.makeNone(ledger)
        case .kept: return shared ?? K.make(ledger)
        }
      }
    }
  }
}
