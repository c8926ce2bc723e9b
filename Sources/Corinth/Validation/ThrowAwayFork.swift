// SPDX-License-Identifier: MIT

/// A fork in which everything is built once, to record failures and the resolves of factories.
///
/// A child is copied with the ancestors, as containers of their own: the ancestors' singletons do
/// not get the child's overrides.
struct ThrowAwayFork {
  private let original: Container
  /// The copies of the container and its ancestors, nearest first.
  private let levels: [Container]
  private let scope: Container
  private let recording: DependencyRecording

  /// - Parameter inputs: the inputs of the scope.
  init<each Input: Sendable>(of container: Container, providing inputs: repeat each Input) {
    original = container
    levels = Self.copies(of: container)
    for level in levels { level.leaveSharedInstancesAlone() }
    scope = levels[0].makeScope(providing: repeat each inputs)
    scope.registry.extras.standsForAllNames = true
    recording = scope.recordDependencies()
  }

  /// The dependencies that the factories have resolved.
  var recorded: [RecordedDependencies] { levels.map(\.registry.recorded) }

  /// The containers in the order of closing.
  private var containers: [Container] { [scope] + levels }

  private static func copies(of container: Container) -> [Container] {
    let originals = Array(sequence(first: container, next: \.parent).reversed())
    let root = Container(forkOf: originals[0])
    root.detach()
    return originals.dropFirst().reduce(into: [root]) { copies, original in
      copies.insert(original.copy(below: copies[0]), at: 0)
    }
  }

  /// The keys to build: the keys without arguments. The keys that `warmUp()` builds come first, and
  /// the rest follow in the order of registration.
  ///
  /// - Parameter isSynchronous: whether to leave out keys that only a task can build.
  private func keys(isSynchronous: Bool) -> [RegistrationKey] {
    var seen: Set<RegistrationKey> = []
    let visible = levels.flatMap { $0.registry.registrations { seen.insert($0.key).inserted } }
    let records = visible.ordered(by: \.position).filter {
      !$0.isAbsence && $0.key.arguments == nil && !$0.isInput
        && !(isSynchronous && $0.isAsynchronous)
    }
    let eager = records.filter(\.attributes.isEager)
    return (eager + records.filter { !$0.attributes.isEager }).map(\.key)
  }

  func build() -> [ResolutionError] {
    var failures: [ResolutionError] = []
    FailureMemory.during {
      scope.withCurrent {
        for key in keys(isSynchronous: true) {
          do throws(ResolutionError) {
            _ = try scope.registry.box(of: key, arguments: nil, within: nil)
          } catch  where error == .asyncResolutionRequired {
            // The dependency was recorded. The validation graph decides whether an instance is
            // present by then.
            continue
          } catch { failures.append(error) }
        }
      }
    }
    recording.stop()
    return failures
  }

  nonisolated(nonsending)
    func buildAsync() async -> [ResolutionError]
  {
    var failures: [ResolutionError] = []
    await FailureMemory.duringAsync {
      await scope.withCurrent {
        for key in keys(isSynchronous: false) {
          do throws(ResolutionError) {
            _ = try await scope.registry.boxAsync(of: key, arguments: nil, within: nil)
          } catch  where error == .asyncResolutionRequired && isThereInBase(error.key) {
            continue
          } catch { failures.append(error) }
        }
      }
    }
    recording.stop()
    return failures
  }

  /// Whether the validated container has built an instance that all resolves of the key get.
  private func isThereInBase(_ key: RegistrationKey) -> Bool {
    original.registry.registeredSlot(of: key)?.registration?.isThere ?? false
  }

  /// Disposes of all built instances, on the calling thread. From the first container on that only
  /// a task can close, everything is left to a task; the call does not wait for the task.
  func end() -> [ResolutionError] {
    var failures: [ResolutionError] = []
    for (number, container) in containers.enumerated() {
      do throws(CloseError) { try container.registry.close(outcome: .completed) } catch {
        if error == .disposalFailed {
          failures += error.asResolutionErrors
          continue
        }
        let rest = containers[number...]
        Task { for container in rest { try? await container.close() } }
        break
      }
    }
    return failures
  }

  nonisolated(nonsending)
    func endAsync() async -> [ResolutionError]
  {
    var failures: [ResolutionError] = []
    for container in containers {
      do throws(CloseError) {
        try await container.registry.close(outcome: .completed, timeLimits: .none)
      } catch { failures += error.asResolutionErrors }
    }
    return failures
  }
}

extension Container {
  /// Makes a child with the registrations of this container, without instances, and with the
  /// decorators and behaviors.
  fileprivate func copy(below parent: Container) -> Container {
    let copy = Container(
      fingerprintBits: 64, parent: parent, isScope: registry.isScope,
      defaultScope: defaultScope, duplicates: registry.duplicates)
    if let name = registry.scopeName { copy.registry.setScopeName(name.value) }
    copy.registry.inputs.add(allOf: registry.inputs)
    copy.registry.takeOver(registry)
    return copy
  }

  /// Keeps values undisposed, and has registrations whose products a ``CustomStorage`` of the user
  /// stores store the products in the fork: the base shares both the values and the
  /// ``CustomStorage``.
  fileprivate func leaveSharedInstancesAlone() {
    let isDisposedValue = { (record: RegistrationRecord) in
      record.isConstant && !(record.disposerList?.isEmpty ?? true)
    }
    for record in registry.registrations(where: isDisposedValue) {
      registry.modify(record.key, serial: record.serial) { attributes in
        attributes.disposers = DisposerList()
        return true
      }
    }
    for record in registry.registrations(where: { $0.lifecycle.customStorage != nil }) {
      registry.modify(record.key, serial: record.serial) { attributes in
        attributes.lifecycle.customStorage = nil
        attributes.scope = .graph
        return true
      }
    }
  }
}
