// SPDX-License-Identifier: MIT
//
// Slips where something is resolved: in a container, in a factory's resolver, in whatever resolves.

import Corinth

final class Log: Sendable { func write(_ text: String) {} }
final class Service: Sendable { init(log: Log, other: Log?) {} }

func inContainer(_ services: Container) throws {
  let unknown = try services.resolve()  // SLIP
  let untried: Log = services.resolve()  // SLIP
  _ = try services.resolv(Log.self)  // SLIP
  let text: String = try services.resolve(Log.self)  // SLIP
  _ = try services.resolve(Log.self, nam: "x")  // SLIP
  _ = try services.resolve(Log.self, name: 7)  // SLIP
  try services.resolve(Log.self).writ("")  // SLIP
  _ = try Service(log: services.resolve(), other: services.resolve(Int.self))  // SLIP
  try services.withResolved(Log.self) { $0.writ("") }  // SLIP
}

func inResolver(_ services: Resolver) throws {
  let unknown = try services.resolve()  // SLIP
  let untried: Log = services.resolve()  // SLIP
  _ = try services.resolv(Log.self)  // SLIP
  let text: String = try services.resolve(Log.self)  // SLIP
  _ = try services.resolve(Log.self, nam: "x")  // SLIP
  _ = try services.resolve(Log.self, name: 7)  // SLIP
  try services.resolve(Log.self).writ("")  // SLIP
  _ = try Service(log: services.resolve(), other: services.resolve(Int.self))  // SLIP
  try services.withResolved(Log.self) { $0.writ("") }  // SLIP
}

func inWhateverResolves(_ services: some Resolving) throws {
  let unknown = try services.resolve()  // SLIP
  let untried: Log = services.resolve()  // SLIP
  _ = try services.resolv(Log.self)  // SLIP
  let text: String = try services.resolve(Log.self)  // SLIP
  _ = try services.resolve(Log.self, nam: "x")  // SLIP
  _ = try services.resolve(Log.self, name: 7)  // SLIP
  try services.resolve(Log.self).writ("")  // SLIP
  _ = try Service(log: services.resolve(), other: services.resolve(Int.self))  // SLIP
  try services.withResolved(Log.self) { $0.writ("") }  // SLIP
}

func asAProtocol(_ services: any Resolving) throws {
  _ = try Service(log: services.resolve(), other: services.resolve())
  services.register(Log.self) { _ in Log() }  // SLIP
}
