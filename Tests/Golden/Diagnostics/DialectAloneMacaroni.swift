// SPDX-License-Identifier: MIT
//
// A client of one compatibility module sees its names only: each name of the core below is unknown.

import MacaroniDialect

let container = Container()
container.register { 42 }
let number: Int? = try? container.resolve()

func resolver(_: Resolver) {}
func registration(_: Registration<Int>) {}
func lazily(_: Lazy<Int>) {}
func name(_: Name) {}
func builder(_: ContainerBuilder) {}
