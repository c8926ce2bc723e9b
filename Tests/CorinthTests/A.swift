import XCTest
import Corinth
protocol Svc: AnyObject {}
final class S1: Svc { let b: B; init(_ b: B) { self.b = b } }
final class B { }
final class Smoke: XCTestCase {
  func testSmoke() throws {
    let c = Container()
    try c.register((any Svc).self) { r in S1(try r.resolve(B.self)) }.asSingleton()
    try c.register(B.self) { _ in B() }.asWeak()
    let a = try c.resolve((any Svc).self)
    let b: any Svc = try c.resolve()
    XCTAssert(a === b)
    XCTAssert(try c.resolve(B.self) === (a as! S1).b)
    try c.register(Int.self, name: "x") { (_, i: Int, s: String) in i + s.count }
    XCTAssertEqual(try c.resolve(Int.self, name: "x", arguments: 3, "abc"), 6)
    do { _ = try c.resolve(Int.self, name: "x", arguments: 3); XCTFail() } catch { print(error) }
    do { _ = try c.resolve(Int.self); XCTFail() } catch { print(error) }
    try c.register(String.self) { r in try r.resolve(Substring.self).description }.asSingleton()
    try c.register(Substring.self) { r in try r.resolve(String.self)[...] }
    do { _ = try c.resolve(String.self); XCTFail() } catch { print(error) }
    do { _ = try c.resolve(Substring.self); XCTFail() } catch { print(error) }
    try c.register(String.self) { r in try r.resolve(Substring.self).description }
    do { _ = try c.resolve(String.self); XCTFail() } catch { print(error) }
    do { try c.register(Int.self, scope: .weak) { _ in 1 } ; XCTFail() } catch { print(error) }
    try c.register(Int.self, overridable: false) { _ in 1 }
    do { try c.register(Int.self) { _ in 1 } ; XCTFail() } catch { print(error) }
  }
}
