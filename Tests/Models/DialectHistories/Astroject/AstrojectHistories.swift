// SPDX-License-Identifier: MIT

import TestSupport

enum AstrojectHistories: RandomHistories {
  static func program(_ random: inout SeededGenerator) -> [AstrojectCall] {
    var generator = AstrojectGenerator(&random)
    return generator.program(&random)
  }

  static func modeled(_ program: [AstrojectCall]) -> [String] {
    AstrojectWorld<AstrojectModel>(program).run()
  }

  static func observed(_ program: [AstrojectCall], following expected: [String]) -> [String] {
    AstrojectWorld<AstrojectAdapter>(program).run(following: expected)
  }

  static func smaller(_ call: AstrojectCall) -> [AstrojectCall] {
    guard case .register(let place, let registration) = call else { return [] }
    return removingOne(of: \.during, in: registration).map { .register(place, $0) }
  }
}

/// Runs a program, and says what each call does.
final class AstrojectWorld<Subject: AstrojectSubject> {
  private let program: [AstrojectCall]
  private let ledger = Ledger()
  private let subject: Subject
  private var containers: [Int: Subject.Container] = [:]
  private var releases: [Int: () -> Void] = [:]
  private var kept: [Int: Any] = [:]

  init(_ program: [AstrojectCall]) {
    self.program = program
    subject = Subject(ledger)
  }

  func run(following expected: [String]? = nil) -> [String] {
    program.enumerated().map { index, call in
      ledger.outcome(perform(call), expecting: expected?[index])
    }
  }

  private func perform(_ call: AstrojectCall) -> String {
    switch call {
    case .create(let place): containers[place] = subject.create()
    case .drop(let place): containers[place] = nil
    case .register(let place, let registration):
      guard let container = containers[place] else { return "-" }
      return register(registration.key.kind.kind, registration, in: container)
    case .resolve(let place, let key, let isAsync, let keep):
      // A factory would block one of the few threads that run asynchronous calls.
      guard let container = containers[place], !isAsync || ledger.depth == 0 else { return "-" }
      return resolve(key.kind.kind, key, isAsync: isAsync, from: container, keep: keep)
    case .isRegistered(let place, let key):
      guard let container = containers[place] else { return "-" }
      return isRegistered(key.kind.kind, key, in: container)
    case .clear(let place):
      guard let container = containers[place] else { return "-" }
      subject.clear(container)
    case .add(let place, let behavior):
      guard let container = containers[place] else { return "-" }
      subject.add(behavior: behavior, to: container)
    case .apply(let place, let assemblies):
      guard let container = containers[place] else { return "-" }
      apply(assemblies, to: container)
    case .release(let registration):
      guard let release = releases[registration] else { return "-" }
      release()
    case .forget(let place): kept[place] = nil
    }
    return "done"
  }

  private func apply(_ assemblies: [AstrojectAssembly], to container: Subject.Container) {
    let ledger = ledger
    subject.apply(
      assemblies.map { assembly in
        (
          id: assembly.id,
          assemble: { [unowned self] container in
            let kind = assembly.registration.key.kind.kind
            ledger.note("assembles \(self.register(kind, assembly.registration, in: container))")
            ledger.settle()
          },
          loaded: { [unowned self] resolver in
            let kind = assembly.resolves.kind.kind
            ledger.note("loads \(self.resolve(kind, assembly.resolves, within: resolver))")
            ledger.settle()
          }
        )
      }, to: container)
  }

  private func isRegistered<K: Kind>(
    _ kind: K.Type, _ key: AstrojectKey, in container: Subject.Container
  ) -> String {
    "\(subject.isRegistered(kind, key.name, in: container))"
  }

  private func resolve<K: Kind>(
    _ kind: K.Type, _ key: AstrojectKey, isAsync: Bool, from container: Subject.Container,
    keep: Int?
  ) -> String {
    do {
      let value = try subject.resolve(kind, key.name, isAsync: isAsync, from: container)
      if let keep { kept[keep] = value }
      return K.text(value)
    } catch { return "throws \(subject.text(of: error))" }
  }

  private func resolve<K: Kind>(
    _ kind: K.Type, _ key: AstrojectKey, within resolver: Subject.Resolver
  ) -> String {
    do {
      return K.text(try subject.resolve(kind, key.name, within: resolver))
    } catch { return "throws \(subject.text(of: error))" }
  }

  private func need<K: Kind>(
    _ kind: K.Type, _ key: AstrojectKey, within resolver: Subject.Resolver
  ) throws {
    ledger.note("needs \(K.text(try subject.resolve(kind, key.name, within: resolver)))")
  }

  private func register<K: Kind>(
    _ kind: K.Type, _ registration: AstrojectRegistration, in container: Subject.Container
  ) -> String {
    let ledger = ledger
    let number = registration.number
    var shared: K.Value?
    if case .kept = registration.style { shared = K.make(ledger) }
    do {
      releases[number] = try subject.register(kind, registration, in: container) {
        [unowned self] resolver in
        ledger.note("f\(number)")
        return try ledger.within {
          if ledger.depth < 4 {
            for call in registration.during { ledger.note("\(call) -> \(self.perform(call))") }
          }
          switch registration.style {
          case .failing: throw FactoryFailed(number: number)
          case .needing(let key) where ledger.depth < 4:
            try self.need(key.kind.kind, key, within: resolver)
            return K.make(ledger)
          case .fresh, .needing: return K.make(ledger)
          case .none: return K.makeNone(ledger)
          case .kept: return shared ?? K.make(ledger)
          }
        }
      } _: { value in
        ledger.note("after \(number): \(K.text(value))")
        if registration.afterInit == true { throw FactoryFailed(number: number) }
      }
      return "registered"
    } catch { return "throws \(subject.text(of: error))" }
  }
}
