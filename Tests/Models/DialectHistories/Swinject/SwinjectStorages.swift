// SPDX-License-Identifier: MIT

/// What an entry of the model keeps. The graph is that of the container that was asked.
class SwinjectStorage {
  func instance(in graph: Int) -> Any? { nil }
  func set(_ instance: Any, in graph: Int) {}
  func reset() {}
  /// The outermost resolve of a container has ended.
  func complete() {}
  /// No container is in the graph any more.
  func leave(_ graph: Int) {}
}

/// A value that is kept weakly: alone, or in an optional. Numbers stay (SWINJECT, 9), and so does a
/// missing value; others go at once.
final class SwinjectWeak {
  private weak var object: Widget?
  private let staying: Any?

  init(_ value: Any) {
    object = value as? Widget
    let isMissing = (value as? Int?).map { $0 == nil } ?? false
    staying = value is Int || isMissing ? value : nil
  }

  var value: Any? { object ?? staying }
}

/// Migration, "What differs": what is replaced goes when no resolve is under way.
final class SwinjectPermanent: SwinjectStorage {
  private var kept: Any?
  private let ledger: Ledger

  init(_ ledger: Ledger) { self.ledger = ledger }

  override func instance(in graph: Int) -> Any? { kept }

  override func set(_ instance: Any, in graph: Int) {
    kept.map(ledger.retire)
    kept = instance
  }

  override func reset() {
    kept.map(ledger.retire)
    kept = nil
  }
}

final class SwinjectWeakly: SwinjectStorage {
  private var kept: SwinjectWeak?

  override func instance(in graph: Int) -> Any? { kept?.value }
  override func set(_ instance: Any, in graph: Int) { kept = SwinjectWeak(instance) }
  override func reset() { kept = nil }
}

/// Strong until the outermost resolve ends, and a weak record for each graph.
///
/// Migration, "What differs": each graph has a strong instance, until no container is in it any
/// more.
final class SwinjectGraphs: SwinjectStorage {
  private var strong: [Int: Any] = [:]
  private var records: [Int: SwinjectWeak] = [:]

  override func instance(in graph: Int) -> Any? {
    guard let value = strong[graph] else { return records[graph]?.value }
    // Only objects and numbers are found in a record.
    return SwinjectWeak(value).value
  }

  override func set(_ instance: Any, in graph: Int) {
    strong[graph] = instance
    records[graph] = SwinjectWeak(instance)
  }

  /// Migration, "What differs": a reset takes nothing out of a graph.
  override func reset() {}
  override func leave(_ graph: Int) { strong[graph] = nil }
}

/// Reads the first that has a value, writes all.
final class SwinjectComposite: SwinjectStorage {
  private let parts: [SwinjectStorage]

  init(_ parts: SwinjectStorage...) { self.parts = parts }

  override func instance(in graph: Int) -> Any? {
    parts.lazy.compactMap { $0.instance(in: graph) }.first
  }

  override func set(_ instance: Any, in graph: Int) {
    for part in parts { part.set(instance, in: graph) }
  }
  override func reset() { for part in parts { part.reset() } }
  override func complete() { for part in parts { part.complete() } }
  override func leave(_ graph: Int) { for part in parts { part.leave(graph) } }
}

/// A storage of a program's own, which says what it is told, and lets go at once.
final class SwinjectShelf: SwinjectStorage {
  private var kept: Any?
  private let ledger: Ledger

  init(_ ledger: Ledger) { self.ledger = ledger }

  override func instance(in graph: Int) -> Any? {
    ledger.note("shelf is read")
    return kept
  }

  override func set(_ instance: Any, in graph: Int) {
    ledger.note("shelf gets")
    kept = instance
  }

  override func reset() {
    ledger.note("shelf is reset")
    kept = nil
  }

  override func complete() { ledger.note("shelf's graph ends") }
}
