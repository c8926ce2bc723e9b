// SPDX-License-Identifier: MIT

/// The promises about disposers and closed containers.
extension GraphOracle {
  func disposalProblems() -> [GraphProblem] {
    var problems: [GraphProblem] = []
    var serials: Set<Int> = []
    for each in disposed where !serials.insert(each.product.serial).inserted {
      problems.append(
        GraphProblem(.disposal, "s\(each.product.service) was disposed of twice"))
    }
    for answer in answers where !answer.isInside {
      guard case .success(let product) = answer.outcome else { continue }
      for serial in references.uses(of: product.serial) {
        guard let service = references.services[serial], graph.services[service].disposer != nil,
          !isChanged(service), serials.insert(serial).inserted
        else { continue }
        problems.append(
          GraphProblem(.disposal, "s\(service), which was handed out, was not disposed of"))
      }
    }
    for (index, service) in graph.services.enumerated() where service.disposer != nil {
      for (container, tally) in run.tallies[index].enumerated() {
        let count = disposed.count {
          $0.product.service == index && $0.product.container == container
        }
        let mayMiss = failures(for: index) + (isChanged(index) ? tally[.returned] : 0)
        if count > 1 || count < tally[.returned] - mayMiss {
          problems.append(
            GraphProblem(
              .disposal,
              "s\(index) was built \(tally[.returned]) times and disposed of \(count) times"))
        }
      }
    }
    return problems
  }

  func orderProblems() -> [GraphProblem] {
    let instances = disposed.map { each in
      DisposedInstance(
        name: "s\(each.product.service)", container: keeper(of: each.product),
        returned: each.product.returned, seen: each.product.seen, serial: each.product.serial,
        uses: references.uses(of: each.product.serial),
        needs: references.needs(of: each.product.serial),
        mayBeNeededByAll: run.analysis.isBuiltByDeinits[each.product.service],
        seemsToNeed: seeminglyNeeded(by: each.product))
    }
    return DisposedInstance.firstOutOfOrder(in: instances).map { first, second in
      [GraphProblem(.order, "\(first) was disposed of before \(second), which uses it")]
    } ?? []
  }

  /// The serials of disposed instances that an instance has not got, but that the closing takes for
  /// its dependencies: the closing goes by names, and cannot know that a released instance was got.
  private func seeminglyNeeded(by product: Product) -> Set<Int> {
    let named = run.analysis.named[product.service].filter(isChanged)
    let serials = disposed.map(\.product).filter { named.contains($0.service) }.map(\.serial)
    return Set(serials).subtracting(references.needs(of: product.serial))
  }

  /// The container that keeps an instance. A scoped service may be registered in a child of the
  /// scope.
  func keeper(of product: Product) -> Int {
    let lineage = graph.lineage(of: product.container)
    let keeper: Int? =
      switch graph.services[product.service].lifetime {
      case .scoped: lineage.first { graph.hasScope([$0]) }
      case .named: graph.namedScope(in: lineage)
      default: nil
      }
    return keeper ?? product.container
  }

  func closingProblems() -> [GraphProblem] {
    var problems: [GraphProblem] = []
    for closing in closings {
      for disposal in disposed
      where keeper(of: disposal.product) == closing.container && disposal.time > closing.time {
        problems.append(
          GraphProblem(
            .disposal,
            "s\(disposal.product.service) was disposed of after c\(closing.container) was closed"))
      }
      for answer in answers where answer.asked > closing.time && !answer.isInside {
        guard case .success(let product) = answer.outcome,
          answer.container == closing.container
            || graph.services[product.service].container == closing.container
        else { continue }
        problems.append(
          GraphProblem(
            .closed, "s\(product.service) was resolved after c\(closing.container) was closed"))
      }
    }
    return problems
  }
}
