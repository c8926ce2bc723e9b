// SPDX-License-Identifier: MIT
// swift-format-ignore-file
import Astroject

let container = Container()
try container.register(Int.self, overridable: false) { _ in 42}  // the document: no try

// The next sample, inside of a `do`.
do {
try container.register(Int.self) { _ in 99 } // Fails and throws an error
} catch {
  print(error as? RegistrationError == .alreadyRegistered)
}
