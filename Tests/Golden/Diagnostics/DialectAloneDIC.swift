// SPDX-License-Identifier: MIT
//
// A client of one compatibility module sees its names only: each name of the core below is unknown.

import DICDialect

/// The client's own.
final class Container {}

let dependencies = DependencyInjectionContainer()
dependencies.register(Container())
let loaded: Container = dependencies.load()

func resolver(_: Resolver) {}
func registration(_: Registration<Int>) {}
func lazily(_: Lazy<Int>) {}
func name(_: Name) {}
func container(_: ContainerBuilder) {}
