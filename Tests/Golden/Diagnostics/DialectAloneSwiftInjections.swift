// SPDX-License-Identifier: MIT
//
// A client of one compatibility module sees its names only: each name of the core below is unknown.

import SwiftInjectionsDialect

final class Objects: Assembly {
  var object: Container { define { (definition) in definition *~> Container() } }
}

/// The client's own.
final class Container {}

func resolver(_: Resolver) {}
func registration(_: Registration<Int>) {}
func lazily(_: Lazy<Int>) {}
func name(_: Name) {}
