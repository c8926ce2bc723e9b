// SPDX-License-Identifier: MIT

/// A fork in which everything is built once, to see what fails and what factories resolve.
struct ThrowAwayFork {
  private let fork: Container
  private let scope: Container
  private let recording: DependencyRecording

  /// - Parameter inputs: what the scope is given.
  init<each Input: Sendable>(of container: Container, providing inputs: repeat each Input) {
    fork = container.fork()
    fork.detach()
    fork.leaveSharedInstancesAlone()
    scope = fork.makeScope(providing: repeat each inputs)
    recording = scope.recordDependencies()
  }

  /// What the factories have resolved.
  var recorded: RecordedDependencies { fork.registry.recorded }

  /// In the order in which they are closed.
  private var containers: [Container] { [scope, fork] }

  /// The keys to build: those that need no arguments. What `warmUp()` builds comes first, and the others follow in the
  /// order of registration.
  ///
  /// - Parameter isSynchronous: whether those are left out that only a task can build.
  private func keys(isSynchronous: Bool) -> [RegistrationKey] {
    let records = fork.registry.registrations {
      $0.key.arguments == nil && !$0.isInput && !(isSynchronous && $0.isAsynchronous)
    }
    let eager = records.filter(\.attributes.isEager)
    return (eager + records.filter { !$0.attributes.isEager }).map(\.key)
  }

  func build() -> [ResolutionError] {
    var failures: [ResolutionError] = []
    scope.withCurrent {
      for key in keys(isSynchronous: true) {
        do throws(ResolutionError) {
          _ = try scope.registry.box(of: key, arguments: nil, within: nil)
        } catch  where error == .asyncResolutionRequired {
          // The dependency was recorded. Whether it is there by then is for the graph to say.
          continue
        } catch { failures.append(error) }
      }
    }
    recording.stop()
    return failures
  }

  nonisolated(nonsending)
    func buildAsync() async -> [ResolutionError]
  {
    var failures: [ResolutionError] = []
    await scope.withCurrent {
      for key in keys(isSynchronous: false) {
        do throws(ResolutionError) {
          _ = try await scope.registry.boxAsync(of: key, arguments: nil, within: nil)
        } catch  where error == .asyncResolutionRequired && isThereInBase(error.key) {
          continue
        } catch { failures.append(error) }
      }
    }
    recording.stop()
    return failures
  }

  /// Whether the container that is validated has built an instance that all resolves of the key get.
  private func isThereInBase(_ key: RegistrationKey) -> Bool {
    fork.base?.registry.registeredSlot(of: key)?.registration?.isThere ?? false
  }

  /// Disposes of all that was built, on the thread. From the first container on that only a task can close, all is left to
  /// a task, which is not waited for.
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
  /// Has values stay undisposed, and has registrations whose products an ``Instance`` of the user stores store them here:
  /// both are shared with the base.
  fileprivate func leaveSharedInstancesAlone() {
    let isDisposedValue = { (record: RegistrationRecord) in
      record.isConstant && !record.lifecycle.disposers.isEmpty
    }
    for record in registry.registrations(where: isDisposedValue) {
      registry.modify(record.key, serial: record.serial) { attributes in
        attributes.lifecycle.disposers = []
        return true
      }
    }
    for record in registry.registrations(where: { $0.lifecycle.customInstance != nil }) {
      registry.modify(record.key, serial: record.serial) { attributes in
        attributes.lifecycle.customInstance = nil
        attributes.scope = .graph
        return true
      }
    }
  }
}

extension CloseError {
  /// The failures of disposers, as those of the registrations that they belong to.
  fileprivate var asResolutionErrors: [ResolutionError] {
    guard case .disposalFailed(let failures) = self else { return [] }
    return failures.map {
      .underlyingError(ResolutionError.Context(failureOf: $0.key, at: $0.location, $0.error))
    }
  }
}
