// SPDX-License-Identifier: MIT

extension ContainerCore {
  /// Notes the instances of a closing tracked scope, already sealed, to look at survivors later.
  func expectOutlivingInstances() {
    guard let tracked = extrasIfMade?.trackedScope.load(), tracked.claimSearch(),
      !OutlivingInstances.handler.isNil
    else { return }
    var found: [OutlivingInstance] = []
    func add(_ object: AnyObject, _ record: RegistrationRecord) {
      found.append(
        OutlivingInstance(
          object: object, instance: UndisposedInstance(key: record.key, location: record.location)))
    }
    forEachSealedCell { record, _, word in
      guard let content = unsafe word.content(as: AnyObject.self)?.takeUnretainedValue() else {
        return
      }
      if word.holdsInstance {
        add(content, record)
      } else if let object = record.object(in: content) {
        add(object, record)
      }
    }
    // The section keeps instances alive when a concurrent closer releases them.
    let section = Section.enter()
    defer { section.leave() }
    instances.forEachEntry { entry in
      guard case .built(let built) = entry.current,
        let object = unsafe entry.record.object(in: built.takeUnretainedValue())
      else { return }
      add(object, entry.record)
    }
    tracked.expect(found)
  }
}

extension RegistrationRecord {
  /// The object in a box; `nil` for a value.
  fileprivate func object(in box: AnyObject) -> AnyObject? {
    guard TypeKind(of: key.product) == .possiblyReference, policy.box == .strong,
      let box = box as? AnyInstanceBox
    else { return nil }
    // An existential would box a value anew, in an object without further references.
    return box.product as AnyObject
  }
}
