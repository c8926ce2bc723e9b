// SPDX-License-Identifier: MIT
import Corinth

// Without a diagnostic: each picks the asynchronous operation.
let container = Container()
try await container.warmUp()
_ = try await container.withScope { _ in 1 }
try await container.withScope { scope in try await scope.close() }
try await container.shutdown()
try await container.close()
