// SPDX-License-Identifier: MIT

/// Most names of Astroject are Corinth's own: a client gets both with one import.
@_exported public import Corinth
