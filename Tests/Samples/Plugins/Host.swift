// SPDX-License-Identifier: MIT

import Corinth
import Dispatch
import Services

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

typealias Use = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>) -> Void
typealias Lend = @convention(c) () -> UnsafeMutableRawPointer

/// A program that loads a plugin: `host PLUGIN USE...`.
@main
struct Host {
  static func main() throws {
    let arguments = CommandLine.arguments
    let container = Container()
    try container.register(String.self, scope: .singleton) { _ in "the host's" }
    try container.register(Double.self, scope: .singleton) { _ in 1.5 }
    _ = try container.resolve(String.self)
    try container.register((any Service).self) { _ in Settings() }
    try container.register(Settings.self) { _ in Settings() }
    try container.register(Pool.self) { _ in Pool() }
    try container.register(Box<Int>.self) { _ in Box() }
    guard let plugin = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) else {
      print(String(cString: dlerror()))
      exit(2)
    }
    let use = unsafeBitCast(dlsym(plugin, "plugin_use"), to: Use.self)
    let lend = unsafeBitCast(dlsym(plugin, "plugin_lend"), to: Lend.self)
    for name in arguments.dropFirst(2) {
      if name == "unload" {
        unload(plugin, Visit(container, use))
      } else if name == "borrow" {
        let borrowed = Unmanaged<Container>.fromOpaque(lend()).takeRetainedValue()
        try borrowed.register(Int.self) { _ in 43 }
        print(try borrowed.resolve(Int.self))
      } else {
        use(Unmanaged.passUnretained(container).toOpaque(), name)
      }
    }
    if let registered = try container.resolveIfRegistered(Int.self) { print(registered) }
    print("the host's end")
  }

  /// Closes the plugin beside a thread that has used it, and lets the thread exit.
  private static func unload(_ plugin: UnsafeMutableRawPointer, _ visit: Visit) {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { visit in
        Unmanaged<Visit>.fromOpaque(visit!).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(visit).toOpaque())
    visit.hasUsed.wait()
    dlclose(plugin)
    visit.isClosed.signal()
    pthread_join(thread, nil)
  }
}

/// A thread's use of the plugin.
private final class Visit {
  let (hasUsed, isClosed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private let (container, use): (Container, Use)

  init(_ container: Container, _ use: @escaping Use) {
    (self.container, self.use) = (container, use)
  }

  func run() {
    use(Unmanaged.passUnretained(container).toOpaque(), "beside")
    hasUsed.signal()
    isClosed.wait()
  }
}
