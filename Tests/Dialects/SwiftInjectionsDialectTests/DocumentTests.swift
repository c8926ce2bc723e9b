// SPDX-License-Identifier: MIT
// swift-format-ignore-file: NoEmptyTrailingClosureParentheses

import SwiftInjectionsDialect
import XCTest

public class TheObject {
  var object2: Object2?
}

public class Object1: TheObject {}

public class Object2 {
  weak var object1: TheObject?
}

public class Object {
  var anotherObject: AnotherObject!
}

public class AnotherObject {
  weak var object: Object!
}

/// The assemblies of the document's samples.
public class Assembly1: Assembly {
  lazy var assembly2 = Assembly2.instance()

  public var object: TheObject {
    return self.define() { (definition) in
      let object1 = definition *~> Object1()
      object1.object2 = self.assembly2.object2
      return object1
    }
  }

  public var scoped: TheObject {
    return self.define(withScope: .Singleton) { (definition) in
      return definition *~> Object1()
    }
  }

  public var keyed: TheObject {
    return self.define(withKey: "TheObject") { (definition) in
      return definition *~> Object1()
    }
  }

  public var keyedAndScoped: TheObject {
    return self.define(withKey: "TheObject", scope: .Singleton) { (definition) in
      return definition *~> Object1()
    }
  }

  public var initialized: Object2 {
    return define { definition in
      let object2 = definition.initObject(Object2())
      return object2
    }
  }

  public func injectIntoObject(inputObject: Object) -> Object {
    return self.define() { (definition) in
      let object = definition *~> inputObject
      object.anotherObject = self.anotherObject
      return object
    }
  }

  public var anotherObject: AnotherObject {
    return self.define() { (definition) in
      let anotherObject = definition *~> AnotherObject()
      anotherObject.object = self.existingObjectByMatchingType()
      return anotherObject
    }
  }

  public func injectByKey(inputObject: Object) -> Object {
    return self.define(withKey: "input") { (definition) in
      let object = definition *~> inputObject
      object.anotherObject = self.anotherByKey
      return object
    }
  }

  public var anotherByKey: AnotherObject {
    return self.define() { (definition) in
      let anotherObject = definition *~> AnotherObject()
      anotherObject.object = self.existingObject(withKey: "input")
      return anotherObject
    }
  }
}

public class Assembly2: Assembly {
  lazy var assembly1 = Assembly1.instance()

  public var object2: Object2 {
    return self.define() { (definition) in
      let object2 = definition *~> Object2()
      object2.object1 = self.assembly1.object
      return object2
    }
  }
}

final class DocumentTests: XCTestCase {
  func testAComputedPropertyDefinesAnObject() {
    let object = Assembly1.instance().object
    XCTAssertTrue(object is Object1)
    XCTAssertNotNil(object.object2)
  }

  func testACycleAcrossTwoAssembliesIsClosed() {
    let object = Assembly1.instance().object
    XCTAssertIdentical(object.object2?.object1, object)
    let other = Assembly2.instance().object2
    XCTAssertNil(other.object1, "it is weak, and the graph that held the object is over")
  }

  func testADefinitionWithAScope() {
    let assembly = Assembly1.instance()
    XCTAssertIdentical(assembly.scoped, assembly.scoped)
  }

  func testADefinitionWithAKey() {
    let assembly = Assembly1.instance()
    XCTAssertNotIdentical(assembly.keyed, assembly.keyed)
  }

  func testADefinitionWithAKeyAndAScope() {
    let assembly = Assembly1.instance()
    XCTAssertIdentical(assembly.keyedAndScoped, assembly.keyedAndScoped)
    XCTAssertIdentical(assembly.keyedAndScoped, assembly.scoped, "the type has the same key")
  }

  func testTheObjectIsInitializedByTheMethodOrTheOperator() {
    let assembly = Assembly1.instance()
    XCTAssertNotIdentical(assembly.initialized, assembly.initialized)
  }

  func testInjectionIntoAnExistingObject() {
    let input = Object()
    let output = Assembly1.instance().injectIntoObject(inputObject: input)
    XCTAssertIdentical(output, input)
    XCTAssertIdentical(input.anotherObject.object, input)
  }

  func testAnExistingObjectIsFoundByItsKey() {
    let input = Object()
    let output = Assembly1.instance().injectByKey(inputObject: input)
    XCTAssertIdentical(output, input)
    XCTAssertIdentical(input.anotherObject.object, input)
  }

  func testOutsideOfAGraphThereIsNoExistingObject() {
    let another = Assembly1.instance().anotherObject
    XCTAssertNil(another.object)
  }
}
