// SPDX-License-Identifier: MIT
// Slips in the closures of factories. Each has its error in the line that ends in "SLIP" alone.
import Corinth

protocol Mailer: Sendable { func send() }
final class Log: Sendable { func info(_ text: String) {} }
struct Config: Sendable {
  var host = "smtp.local"
  var port = 25
}
final class SMTP: Mailer {
  init(log: Log, config: Config) {}
  init(url: String) throws {}
  func send() {}
}
final class Other: Sendable {}

func misspelledMember(_ container: Container) throws {
  try container.register((any Mailer).self, onDuplicate: .require) { r in
    try SMTP(url: r.resolve(Config.self).hostt)  // SLIP
  }
}

func wrongDependency(_ container: Container) throws {
  try container.register(SMTP.self) { r in
    try SMTP(log: r.resolve(Config.self), config: r.resolve())  // SLIP
  }
}

func missingTry(_ container: Container) throws {
  try container.register(SMTP.self) { _ in
    SMTP(url: "x")  // SLIP
  }
}

func wrongReturn(_ container: Container) throws {
  try container.register((any Mailer).self) { _ in
    Other()  // SLIP
  }
}

func missingLabel(_ container: Container) throws {
  try container.register(SMTP.self) { r in
    try SMTP(r.resolve(), config: r.resolve())  // SLIP
  }
}

func undefined(_ container: Container) throws {
  try container.register(SMTP.self) { _ in
    try SMTP(url: hostname)  // SLIP
  }
}

func extraArgument(_ container: Container) throws {
  try container.register(SMTP.self) { r in
    try SMTP(log: r.resolve(), config: r.resolve(), port: 3)  // SLIP
  }
}

func wrongOptional(_ container: Container) throws {
  try container.register(SMTP.self) { r in
    try SMTP(log: r.resolve(Log?.self), config: r.resolve())  // SLIP
  }
}

func misspelledType(_ container: Container) throws {
  try container.register(SMTP.self) { _ in
    try SMPT(url: "x")  // SLIP
  }
}

func misspelledResolve(_ container: Container) throws {
  try container.register(SMTP.self) { r in
    try SMTP(log: r.resolv(), config: r.resolve())  // SLIP
  }
}

func misspelledMemberInALongOne(_ container: Container) throws {
  try container.register(SMTP.self) { r in
    let log = try r.resolve(Log.self)
    let config: Config = try r.resolve()
    var port = config.port
    if port == 0 { port = 25 }
    log.info(config.hostt)  // SLIP
    log.info("built \(port)")
    return SMTP(log: log, config: config)
  }
}

func wrongDependencyInALongOne(_ container: Container) throws {
  try container.register(SMTP.self) { r in
    let log = try r.resolve(Log.self)
    let config: Config = try r.resolve()
    var port = config.port
    if port == 0 { port = 25 }
    let smtp = SMTP(log: config, config: config)  // SLIP
    log.info("built \(port)")
    return smtp
  }
}

func missingTryInALongOne(_ container: Container) throws {
  try container.register(SMTP.self) { r in
    let log = try r.resolve(Log.self)
    let config: Config = try r.resolve()
    var port = config.port
    if port == 0 { port = 25 }
    let smtp = SMTP(url: "x")  // SLIP
    log.info("built \(port)")
    return smtp
  }
}

func wrongReturnInALongOne(_ container: Container) throws {
  try container.register((any Mailer).self) { r in
    let log = try r.resolve(Log.self)
    let config: Config = try r.resolve()
    var port = config.port
    if port == 0 { port = 25 }
    log.info("built")
    log.info("built \(port)")
    return Other()  // SLIP
  }
}

func missingLabelInALongOne(_ container: Container) throws {
  try container.register(SMTP.self) { r in
    let log = try r.resolve(Log.self)
    let config: Config = try r.resolve()
    var port = config.port
    if port == 0 { port = 25 }
    let smtp = SMTP(log, config: config)  // SLIP
    log.info("built \(port)")
    return smtp
  }
}

func undefinedInALongOne(_ container: Container) throws {
  try container.register(SMTP.self) { r in
    let log = try r.resolve(Log.self)
    let config: Config = try r.resolve()
    var port = config.port
    if port == 0 { port = 25 }
    let smtp = try SMTP(url: hostname)  // SLIP
    log.info("built \(port)")
    return smtp
  }
}

func extraArgumentInALongOne(_ container: Container) throws {
  try container.register(SMTP.self) { r in
    let log = try r.resolve(Log.self)
    let config: Config = try r.resolve()
    var port = config.port
    if port == 0 { port = 25 }
    let smtp = SMTP(log: log, config: config, port: port)  // SLIP
    log.info("built \(port)")
    return smtp
  }
}

func wrongOptionalInALongOne(_ container: Container) throws {
  try container.register(SMTP.self) { r in
    let log = try r.resolve(Log.self)
    let config: Config = try r.resolve()
    var port = config.port
    if port == 0 { port = 25 }
    let found: Log? = log
    log.info("built \(port)")
    return SMTP(log: found, config: config)  // SLIP
  }
}

func misspelledTypeInALongOne(_ container: Container) throws {
  try container.register(SMTP.self) { r in
    let log = try r.resolve(Log.self)
    let config: Config = try r.resolve()
    var port = config.port
    if port == 0 { port = 25 }
    let smtp = try SMPT(url: "x")  // SLIP
    log.info("built \(port)")
    return smtp
  }
}

func misspelledResolveInALongOne(_ container: Container) throws {
  try container.register(SMTP.self) { r in
    let log = try r.resolve(Log.self)
    let config: Config = try r.resolve()
    var port = config.port
    if port == 0 { port = 25 }
    let port: Int = try r.resolv()  // SLIP
    log.info("built \(port)")
    return SMTP(log: log, config: config)
  }
}
