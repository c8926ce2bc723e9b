// SPDX-License-Identifier: MIT

internal import CCorinth

/// The box class of a type, as metatypes' addresses; the runtime's lookup takes ten times as long.
enum ClassOfType {
  /// The class of a type; 0 if unknown.
  @inline(__always)
  static func find(_ type: UInt) -> UInt { corinth_class_find(type) }

  static func note(_ type: UInt, _ classOfType: UInt) { corinth_class_note(type, classOfType) }
}
