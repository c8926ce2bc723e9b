// SPDX-License-Identifier: MIT

/// The instances that the instances of a run lead to, by their serials.
struct ReferenceGraph {
  private var kept: [Int: [Int]] = [:]
  private var got: [Int: [Int]] = [:]
  private var missed: [Int: [Int]] = [:]
  private var attempts: [Int: [Int]] = [:]
  private(set) var services: [Int: Int] = [:]

  init(_ events: [ReferenceLog.Event]) {
    for event in events {
      switch event {
      case .began(let serial, let service):
        attempts[service, default: []].append(serial)
        services[serial] = service
      case .refers(let serial, let other): kept[serial, default: []].append(other)
      case .got(let other, let serial): got[serial, default: []].append(other)
      case .missed(let serial, let service): missed[serial, default: []].append(service)
      }
    }
  }

  /// The instance, and all that it refers to, directly or through others.
  func uses(of serial: Int) -> Set<Int> {
    reach(from: serial) { kept[$0] ?? [] }
  }

  /// The instance, and all that it may have waited for: besides those that it uses, what it has
  /// asked for and not kept, what it has started through its resolver, and what it has asked for in
  /// vain, with what that has got.
  func needs(of serial: Int) -> Set<Int> {
    reach(from: serial) { each in
      let inVain = (missed[each] ?? []).flatMap { attempts[$0] ?? [] }
      return (kept[each] ?? []) + (got[each] ?? []) + inVain
    }
  }

  private func reach(from serial: Int, _ next: (Int) -> [Int]) -> Set<Int> {
    var reached: Set<Int> = [serial]
    var pending = [serial]
    while let each = pending.popLast() {
      for other in next(each) where reached.insert(other).inserted { pending.append(other) }
    }
    return reached
  }
}
