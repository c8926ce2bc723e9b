// SPDX-License-Identifier: MIT
//
// A client of one compatibility module sees its names only: each name of the core below is unknown.

import FusionDialect

let container = Container()
container.bind(value: 42)
let number = container.resolve(Int.self)

func resolver(_: Resolver) {}
func registration(_: Registration<Int>) {}
func lazily(_: Lazy<Int>) {}
func name(_: Name) {}
func injected(_: Injected<Int>) {}
