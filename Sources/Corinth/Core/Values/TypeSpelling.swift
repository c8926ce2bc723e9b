// SPDX-License-Identifier: MIT

/// The type as source code writes it: `any P`, `[Element]`, `Wrapped?`. Metadata prints an existential without `any`.
func spelling(of type: any Any.Type) -> String {
  if let element = elementType(ofArray: type) { return "[\(spelling(of: element))]" }
  if let wrapped = (type as? any OptionalType.Type)?.wrapped {
    return isExistential(wrapped) ? "(\(spelling(of: wrapped)))?" : "\(spelling(of: wrapped))?"
  }
  return isExistential(type) ? "any \(type)" : "\(type)"
}

/// The type of an array's elements; `nil` for other types.
func elementType(ofArray type: any Any.Type) -> (any Any.Type)? {
  (type as? any ArrayType.Type)?.element
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
