// SPDX-License-Identifier: MIT

protocol PasswordHasher: Sendable {
  func hash(_ password: String) -> Int
}

/// Good enough for an example, and for nothing else.
struct SaltedHasher: PasswordHasher {
  let secret: Secret

  func hash(_ password: String) -> Int {
    password.utf8.reduce(secret.salt) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }
  }
}

struct PasswordRules: Sendable {
  func accepts(_ password: String) -> Bool { password.count >= 4 }
}
