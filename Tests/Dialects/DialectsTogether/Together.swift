// SPDX-License-Identifier: MIT

/// One program that uses all six compatibility modules, each in a file of its own, with Corinth
/// beside them.
@main
enum Together {
  static func main() throws {
    print("Macaroni:", try greetingOfMacaroni())
    print("Fusion:", greetingOfFusion())
    print("SwiftInjections:", greetingOfSwiftInjections())
    print("DIC:", greetingOfDIC())
    print("Astroject:", try greetingOfAstroject())
    print("Swinject:", greetingOfSwinject())
    print("Corinth:", try greetingOfCorinth())
  }
}

protocol Greeter {
  var greeting: String { get }
}

final class Guest: Greeter, Sendable {
  let greeting: String

  init(_ greeting: String) {
    self.greeting = greeting
  }
}
