// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import Astroject

protocol AsyncService {
    func doWork()
}

@MainActor
class ConcreteAsyncService: AsyncService {
    func doWork() {}  // the document: doWord
}

let container = Container()

// Register an asynchronous dependency
try container.registerAsync(AsyncService.self) { _ in
    await ConcreteAsyncService()
}

// Resolve the dependency asynchronously
let asyncService: AsyncService = try await container.resolveAsync(AsyncService.self)
asyncService.doWork()

// The sample ends here.
print(type(of: asyncService))
