// SPDX-License-Identifier: MIT

internal import Synchronization

/// A run of the method in which an assembly registers. A registration belongs to the run if its
/// number was drawn during the run: the registration itself keeps nothing of the assembly.
final class AssemblyRun: Sendable {
  /// The innermost run of the calling task or thread.
  @TaskLocal static var current: AssemblyRun?

  /// The name of the assembly's type, with the module if a namesake has registered before.
  let name: String
  private let type: ObjectIdentifier
  private let id: String?
  private let replacedTypes: [ObjectIdentifier]
  private let outer = AssemblyRun.current
  /// The number of the last registration before the run.
  private let start: UInt64
  /// The number of the last registration in the run; the greatest number while running.
  private let end = Atomic<UInt64>(.max)

  /// - Parameters:
  ///   - others: the runs known to the container.
  ///   - start: the number of the last registration.
  init(
    of type: any Any.Type, id: String?, replacing replacedTypes: [ObjectIdentifier],
    besides others: [AssemblyRun], after start: UInt64
  ) {
    let name = spelling(of: type)
    let isShared = others.contains { $0.name == name && $0.type != ObjectIdentifier(type) }
    self.name = isShared ? String(reflecting: type) : name
    self.type = ObjectIdentifier(type)
    self.id = id
    self.replacedTypes = replacedTypes
    self.start = start
  }

  /// The name of the assembly and, if given, the identifier.
  var title: String { id.map { "\(name) \"\($0)\"" } ?? name }

  func finish(at end: UInt64) { self.end.store(end, ordering: .releasing) }

  /// Whether the registration with the number was made during the run.
  func covers(_ serial: UInt64) -> Bool {
    start < serial && serial <= end.load(ordering: .acquiring)
  }

  /// Whether the run is `other`, or began within `other`.
  func isWithin(_ other: AssemblyRun) -> Bool {
    sequence(first: self, next: \.outer).contains { $0 === other }
  }

  /// Whether the run has ended and covers none of the given numbers.
  ///
  /// - Parameter serials: numbers of registrations, in ascending order.
  func isOver(withoutAny serials: [UInt64]) -> Bool {
    if end.load(ordering: .acquiring) == .max { return false }
    let next = serials.partitioningIndex { $0 > start }
    return next == serials.count || !covers(serials[next])
  }
}

#if DEBUG
  extension AssemblyRun {
    /// Whether a key registered by two runs is a mistake. A module that runs twice registers all
    /// keys again.
    func competes(with other: AssemblyRun) -> Bool {
      if self === other { return true }
      if type == other.type { return id != other.id }
      return !replacedTypes.contains(other.type) && !other.replacedTypes.contains(type)
    }

    func hint(
      at key: RegistrationKey, _ former: AssembledRegistration,
      overriddenAt location: SourceLocation
    ) -> String {
      var ways: [String] = []
      if key.name == nil, key.arguments == nil {
        ways.append("to collect both, `contribute(to: \(expression(of: key.product)))`")
      }
      ways.append("if the second is meant to win, say `onDuplicate: .override`")
      if former.run.type != type {
        ways.append("or have \(name) list \(former.run.name) in `replaces`")
      }
      return """
        \(key), registered by \(former.run.name) at \(former.location), is overridden by \
        \(self === former.run ? "the same assembly" : name) at \(location).
          hint: \(ways.joined(separator: "; ")).
        """
    }
  }

  /// A registration made by an assembly without a policy for duplicates.
  struct AssembledRegistration: Sendable {
    let run: AssemblyRun
    let location: SourceLocation
  }
#endif
