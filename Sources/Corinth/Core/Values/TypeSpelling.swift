// SPDX-License-Identifier: MIT

/// The expression for a type in source code: `T.self`, `(any P).self`.
func expression(of type: any Any.Type) -> String {
  needsParentheses(type) ? "(\(spelling(of: type))).self" : "\(spelling(of: type)).self"
}

/// The type as in source code: `any P`, `[Element]`, `Wrapped?`. Metadata prints no `any`.
func spelling(of type: any Any.Type) -> String {
  if let element = elementType(ofArray: type) { return "[\(spelling(of: element))]" }
  if let wrapped = wrappedType(ofOptional: type) {
    return needsParentheses(wrapped) ? "(\(spelling(of: wrapped)))?" : "\(spelling(of: wrapped))?"
  }
  let name = Namesakes.name(of: type)
  return isExistential(type) ? "any \(name)" : name
}

/// The innermost type: an array's element, an optional's wrapped type, or else the type itself.
func innermostType(_ type: any Any.Type) -> any Any.Type {
  let inner = elementType(ofArray: type) ?? wrappedType(ofOptional: type)
  return inner.map(innermostType) ?? type
}

/// Whether a suffix would belong to the end of the text only: `() -> Int`, `any P`, `any P<Int>`.
///
/// - SeeAlso: `MetadataKind` in the Swift ABI.
private func needsParentheses(_ type: any Any.Type) -> Bool {
  let (function, extendedExistential): (UInt, UInt) = (0x302, 0x307)
  let kind = kindWord(of: type)
  return kind == function || kind == extendedExistential || isExistential(type)
}

/// The type of an array's elements; `nil` for other types.
func elementType(ofArray type: any Any.Type) -> (any Any.Type)? {
  guard isGenericValue(type) else { return nil }
  return (type as? any ArrayType.Type)?.element
}

/// The wrapped type of an optional; `nil` for other types.
func wrappedType(ofOptional type: any Any.Type) -> (any Any.Type)? {
  isOptional(type) ? (type as? any OptionalType.Type)?.wrapped : nil
}

private protocol ArrayType {
  static var element: any Any.Type { get }
}

private protocol OptionalType {
  static var wrapped: any Any.Type { get }
}

extension Array: ArrayType {
  fileprivate static var element: any Any.Type { Element.self }
}

extension Optional: OptionalType {
  fileprivate static var wrapped: any Any.Type { Wrapped.self }
}
