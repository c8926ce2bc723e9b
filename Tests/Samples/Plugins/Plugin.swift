// SPDX-License-Identifier: MIT

import Corinth
import Services

/// What a plugin does with the container that its host lends it. It prints what has come of that.
@_cdecl("plugin_use")
public func use(_ address: UnsafeMutableRawPointer, _ use: UnsafePointer<CChar>) {
  let lent = Unmanaged<Container>.fromOpaque(address).takeUnretainedValue()
  do {
    switch String(cString: use) {
    case "hit": print(try lent.resolve(String.self))
    case "register": try lent.register(Int.self) { _ in 42 }
    case "scope": _ = try lent.makeScope().resolve(String.self)
    case "construct":
      // The thread has a section of its own by now.
      try useAnotherContainer()
      print(try lent.resolve(Double.self))
    case "miss": _ = try? lent.resolve(UInt8.self)
    case "close": try lent.syncClose()
    case "namesakes":
      say { try lent.resolve((any Service).self) }
      say { try lent.resolve([any Service].self) }
      say { try lent.resolve(Settings.self) }
      say { try lent.resolve(Pool.self) }
      say { try lent.resolve(Box<Int>.self) }
    case "beside": try useAnotherContainer()
    case let other: print("no use: \(other)")
    }
  } catch { print(error) }
}

private func say(_ resolve: () throws -> Any) {
  do { print("resolved: \(try resolve())") } catch { print(error) }
}

/// A container of the plugin, for the host.
@_cdecl("plugin_lend")
public func lend() -> UnsafeMutableRawPointer {
  Unmanaged.passRetained(Container()).toOpaque()
}

private func useAnotherContainer() throws {
  let own = Container()
  try own.register(String.self, scope: .singleton) { _ in "the plugin's own" }
  for _ in 0..<1_000 { _ = try own.makeScope().resolve(String.self) }
  print(try own.resolve(String.self))
}
