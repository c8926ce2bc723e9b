// SPDX-License-Identifier: MIT

#if DEBUG
  /// A run of the method in which an assembly registers.
  final class AssemblyRun: Sendable {
    @TaskLocal static var current: AssemblyRun?

    private let name: String
    private let type: ObjectIdentifier
    private let id: String?
    private let replacedTypes: [ObjectIdentifier]

    init(of type: any Any.Type, id: String?, replacing replacedTypes: [ObjectIdentifier]) {
      name = spelling(of: type)
      self.type = ObjectIdentifier(type)
      self.id = id
      self.replacedTypes = replacedTypes
    }

    /// Whether a key that both runs register is a mistake. A module that runs again registers all of
    /// its keys again.
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

  /// A registration that an assembly has made without saying what a duplicate means.
  struct AssembledRegistration: Sendable {
    let run: AssemblyRun
    let serial: UInt64
    let location: SourceLocation
  }
#endif
