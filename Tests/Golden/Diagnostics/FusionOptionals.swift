// SPDX-License-Identifier: MIT
//
// Results that were implicitly forced in Fusion 0.1 and 0.2 are optionals. The compiler warns where
// that changes a program without an error.

import FusionDialect

func show(_ container: Container) {
  print("\(container.resolve(Int.self))")
  _ = [container.resolve(Int.self)] as [Any]
  print(container.resolve(Int.self))
  let _: Any = container.resolve(Int.self)
  let port: Int = container.resolve(Int.self)
  print("\(port)")
}
