import Corinth
protocol Service: AnyObject { func f() }
final class Impl: Service { var x = 1; func f() {} }
final class T { let a: Int; init(_ a: Int) { self.a = a } }
struct V { let a: Int, b: Int }
@inline(never) @_semantics("optimize.sil.specialize.generic.never") func sink<X>(_ x: X) {}
@inline(never) func hit(_ c: Container, _ n: Int) throws { for _ in 0..<n { sink(try c.resolve(Impl.self)) } }
@inline(never) func hitP(_ c: Container, _ n: Int) throws { for _ in 0..<n { sink(try c.resolve((any Service).self)) } }
extension Name { static let hello: Name = "hello" }
@inline(never) func named(_ c: Container, _ n: Int) throws { for _ in 0..<n { sink(try c.resolve(Impl.self, name: .hello)) } }
@inline(never) func named2(_ c: Container, _ n: Int) throws { for _ in 0..<n { sink(try c.resolve(Impl.self, name: "hello")) } }
@inline(never) func borrowed(_ c: Container, _ n: Int) throws { for _ in 0..<n { try c.withResolved(Impl.self) { sink($0.x) } } }
@inline(never) func transient(_ c: Container, _ n: Int) throws { for _ in 0..<n { sink(try c.resolve(T.self)) } }
@inline(never) func direct(_ n: Int) throws { for _ in 0..<n { sink(T(1)) } }
@inline(never) func prov(_ p: Provider<V>, _ n: Int) throws { for _ in 0..<n { sink(try p()) } }
@inline(never) func arg(_ c: Container, _ n: Int) throws { for i in 0..<n { sink(try c.resolve(T.self, arguments: i)) } }
let c = Container()
try c.register(Impl.self) { _ in Impl() }.asSingleton()
try c.register((any Service).self) { _ in Impl() }.asSingleton()
try c.register(Impl.self, name: "hello") { _ in Impl() }.asSingleton()
try c.register(T.self) { _ in T(1) }
try c.register(T.self) { (_, i: Int) in T(1) }
try c.register(V.self, scope: .singleton) { _ in V(a: 1, b: 2) }
_ = try c.resolve(V.self)
let n = Int(CommandLine.arguments[2])!
switch CommandLine.arguments[1] {
case "hit": try hit(c, n)
case "hitP": try hitP(c, n)
case "named": try named(c, n)
case "literal": try named2(c, n)
case "borrowed": try borrowed(c, n)
case "transient": try transient(c, n)
case "direct": try direct(n)
case "prov": try prov(c.provider(for: V.self), n)
case "arg": try arg(c, n)
default: break
}
