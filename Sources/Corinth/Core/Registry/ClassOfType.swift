// SPDX-License-Identifier: MIT

internal import CCorinth

/// A class for each type, as metatypes' addresses. The runtime takes ten times as long to look one up.
enum ClassOfType {
  /// 0 if it is not known.
  @inline(__always)
  static func find(_ type: UInt) -> UInt { corinth_class_find(type) }

  static func note(_ type: UInt, _ classOfType: UInt) { corinth_class_note(type, classOfType) }
}
