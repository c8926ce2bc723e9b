// SPDX-License-Identifier: MIT

extension Dialect {
  public static let all = [
    Dialect("Macaroni", MacaroniHistories.self),
    Dialect("Fusion", FusionHistories.self),
    Dialect("DIC", DICHistories.self),
    Dialect("SwiftInjections", SwiftInjectionsHistories.self),
    Dialect("Astroject", AstrojectHistories.self),
    Dialect("Swinject", SwinjectHistories.self),
  ]
}
