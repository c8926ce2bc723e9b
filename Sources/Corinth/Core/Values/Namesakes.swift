// SPDX-License-Identifier: MIT

/// Different types with equal names: types of two modules, or nested in two types.
///
/// A text that names both types writes module names too. The types of a text are known where the
/// text is put together, and not where a key is written: hence a task-local value.
enum Namesakes {
  /// The names that stand for several types in the text under way.
  @TaskLocal private static var names: Set<String> = []

  /// Runs `write`, whose text tells the types apart.
  static func distinguishing<Text>(_ types: [any Any.Type], _ write: () -> Text) -> Text {
    let shared = sharedNames(of: types)
    return shared.first == nil ? write() : $names.withValue(names.union(shared), operation: write)
  }

  /// The name of a type that is neither an array nor an optional.
  static func name(of type: any Any.Type) -> String {
    let name = "\(type)"
    return names.contains(name) ? String(reflecting: type) : name
  }

  /// The names shared by several of the types.
  private static func sharedNames(of types: [any Any.Type]) -> Set<String> {
    var seen: Set<ObjectIdentifier> = []
    var names: Set<String> = []
    let distinct = types.map(innermostType).filter { seen.insert(ObjectIdentifier($0)).inserted }
    if distinct.count < 2 { return [] }
    return Set(distinct.map { "\($0)" }.filter { !names.insert($0).inserted })
  }
}

extension RegistrationKey {
  /// The types named in the key's text.
  var namedTypes: [any Any.Type] { [product] + (arguments.map { [$0] } ?? []) }
}
