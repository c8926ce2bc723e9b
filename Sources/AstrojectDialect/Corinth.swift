// SPDX-License-Identifier: MIT

/// Most names of Astroject are Corinth's own names: a client gets both modules with a single
/// import.
@_exported public import Corinth
