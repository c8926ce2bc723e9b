// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import Astroject

let container = Container()
try container.register(Int.self) { _ in 42 }
try container.register(Int.self) { _ in 99 }
let value = try container.resolve(Int.self) // Returns 99; the document: no try

// The sample ends here.
print(value)
