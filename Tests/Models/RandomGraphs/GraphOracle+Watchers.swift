// SPDX-License-Identifier: MIT

import Corinth

/// The promises about behaviors.
extension GraphOracle {
  func watcherProblems() -> [GraphProblem] {
    run.watchers.flatMap { watcher in
      graph.services.indices.filter { run.isWatched($0, by: watcher) }.compactMap { service in
        gap(in: watcher, service).map {
          GraphProblem(
            .watching, "a behavior of c\(watcher.expected.container) heard that s\(service) \($0)")
        }
      }
    }
  }

  private func gap(in watcher: Watcher, _ service: Int) -> String? {
    let watched = watcher.expected
    let (built, returned) = (watcher.count(of: .built, service), run.returns(of: service))
    if built > returned || run.hearsAll(.construction, watched) && built < returned {
      return "was built \(built) times, not \(returned)"
    }
    let ends = disposed.filter { $0.product.service == service }
    // The behaviors of a child of the scope hear nothing: the child may have ended.
    let heard = ends.filter {
      graph.lineage(of: keeper(of: $0.product)).contains(watched.container)
    }
    let told = watcher.count(of: .disposed, service)
    if told > ends.count || run.hearsAll(.disposal, watched) && told == 0 && !heard.isEmpty {
      return "was disposed of \(told) times, not \(heard.count)"
    }
    // A container that closes fails before the search for a registration.
    guard graph.closings.isEmpty else { return nil }
    let own = answers.filter { $0.service == service }
    let found = own.count { if case .success = $0.outcome { true } else { false } }
    let (resolved, failed) = (
      watcher.count(of: .resolved, service), watcher.count(of: .failed, service)
    )
    if run.hearsAll(.resolution, watched), resolved < found {
      return "was resolved \(resolved) times, not \(found)"
    }
    if run.hearsAll(.failure, watched), failed < own.count - found {
      return "failed \(failed) times, not \(own.count - found)"
    }
    return nil
  }
}
