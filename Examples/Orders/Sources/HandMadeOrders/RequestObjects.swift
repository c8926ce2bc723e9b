// SPDX-License-Identifier: MIT

package import HTTP
package import Orders
import Synchronization

/// The objects of one request. Only the thread of the request uses the objects.
package final class RequestObjects {
  let service: Service
  let id: RequestID
  let user: User
  private(set) var begun: UnitOfWork?

  init(service: Service, id: RequestID, user: User) {
    self.service = service
    self.id = id
    self.user = user
  }

  /// The unit of work of the request, made when needed.
  var work: UnitOfWork {
    if let begun { return begun }
    let work = UnitOfWork(pool: service.pool, counters: service.storageCounters)
    begun = work
    return work
  }

  var pricing: Pricing {
    Pricing(
      list: service.currentPriceList.value, rules: service.rules, taxes: service.taxes, user: user)
  }
}

/// Makes and ends the objects of requests, as long as the service takes any.
package final class HandMadeScopes: RequestScopes {
  private let service: Service
  private let open = Atomic(0)
  private let isDraining = Atomic(false)

  package init(service: Service) {
    self.service = service
  }

  package func withScope(
    for id: RequestID, _ user: User, _ body: (RequestObjects) throws -> Response
  ) throws -> Response {
    open.add(1, ordering: .sequentiallyConsistent)
    defer { open.subtract(1, ordering: .sequentiallyConsistent) }
    if isDraining.load(ordering: .sequentiallyConsistent) { throw RequestError.unavailable }
    let objects = RequestObjects(service: service, id: id, user: user)
    let response: Response
    do { response = try body(objects) } catch {
      try? objects.begun?.rollBack()
      throw error
    }
    try objects.begun?.commit()
    return response
  }

  package func drain() async {
    isDraining.store(true, ordering: .sequentiallyConsistent)
    for _ in 0..<2_000 where open.load(ordering: .sequentiallyConsistent) > 0 {
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}
