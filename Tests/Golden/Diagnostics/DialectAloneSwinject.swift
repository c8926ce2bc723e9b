// SPDX-License-Identifier: MIT
//
// A client of one compatibility module sees its names only: each name of the core below is unknown.

import SwinjectDialect

let container = Container()
container.register(Int.self) { _ in 42 }.inObjectScope(.container)
let number = container.resolve(Int.self)

func registration(_: Registration<Int>) {}
func scope(_: Scope<Int>) {}
func name(_: Name) {}
func injected(_: Injected<Int>) {}
func resolving(_: any Resolving) {}
