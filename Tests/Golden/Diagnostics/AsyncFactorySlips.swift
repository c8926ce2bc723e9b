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
  try container.registerAsync((any Mailer).self) { r in
    try await SMTP(url: r.resolveAsync(Config.self).hostt)  // SLIP
  }
}

func wrongDependency(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { r in
    try await SMTP(log: r.resolveAsync(Config.self), config: r.resolveAsync())  // SLIP
  }
}

func missingTry(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { _ in
    SMTP(url: "x")  // SLIP
  }
}

func wrongReturn(_ container: Container) throws {
  try container.registerAsync((any Mailer).self) { _ in
    Other()  // SLIP
  }
}

func missingLabel(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { r in
    try await SMTP(r.resolveAsync(), config: r.resolveAsync())  // SLIP
  }
}

func undefined(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { _ in
    try await SMTP(url: hostname)  // SLIP
  }
}

func extraArgument(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { r in
    try await SMTP(log: r.resolveAsync(), config: r.resolveAsync(), port: 3)  // SLIP
  }
}

func wrongOptional(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { r in
    try await SMTP(log: r.resolveAsync(Log?.self), config: r.resolveAsync())  // SLIP
  }
}

func misspelledType(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { _ in
    try await SMPT(url: "x")  // SLIP
  }
}

func misspelledResolve(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { r in
    try await SMTP(log: r.resolv(), config: r.resolveAsync())  // SLIP
  }
}

func misspelledMemberInALongOne(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { r in
    let log = try await r.resolveAsync(Log.self)
    let config: Config = try await r.resolveAsync()
    var port = config.port
    if port == 0 { port = 25 }
    log.info(config.hostt)  // SLIP
    log.info("built \(port)")
    return SMTP(log: log, config: config)
  }
}

func wrongDependencyInALongOne(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { r in
    let log = try await r.resolveAsync(Log.self)
    let config: Config = try await r.resolveAsync()
    var port = config.port
    if port == 0 { port = 25 }
    let smtp = SMTP(log: config, config: config)  // SLIP
    log.info("built \(port)")
    return smtp
  }
}

func missingTryInALongOne(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { r in
    let log = try await r.resolveAsync(Log.self)
    let config: Config = try await r.resolveAsync()
    var port = config.port
    if port == 0 { port = 25 }
    let smtp = SMTP(url: "x")  // SLIP
    log.info("built \(port)")
    return smtp
  }
}

func wrongReturnInALongOne(_ container: Container) throws {
  try container.registerAsync((any Mailer).self) { r in
    let log = try await r.resolveAsync(Log.self)
    let config: Config = try await r.resolveAsync()
    var port = config.port
    if port == 0 { port = 25 }
    log.info("built")
    log.info("built \(port)")
    return Other()  // SLIP
  }
}

func missingLabelInALongOne(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { r in
    let log = try await r.resolveAsync(Log.self)
    let config: Config = try await r.resolveAsync()
    var port = config.port
    if port == 0 { port = 25 }
    let smtp = SMTP(log, config: config)  // SLIP
    log.info("built \(port)")
    return smtp
  }
}

func undefinedInALongOne(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { r in
    let log = try await r.resolveAsync(Log.self)
    let config: Config = try await r.resolveAsync()
    var port = config.port
    if port == 0 { port = 25 }
    let smtp = try SMTP(url: hostname)  // SLIP
    log.info("built \(port)")
    return smtp
  }
}

func extraArgumentInALongOne(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { r in
    let log = try await r.resolveAsync(Log.self)
    let config: Config = try await r.resolveAsync()
    var port = config.port
    if port == 0 { port = 25 }
    let smtp = SMTP(log: log, config: config, port: port)  // SLIP
    log.info("built \(port)")
    return smtp
  }
}

func wrongOptionalInALongOne(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { r in
    let log = try await r.resolveAsync(Log.self)
    let config: Config = try await r.resolveAsync()
    var port = config.port
    if port == 0 { port = 25 }
    let found: Log? = log
    log.info("built \(port)")
    return SMTP(log: found, config: config)  // SLIP
  }
}

func misspelledTypeInALongOne(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { r in
    let log = try await r.resolveAsync(Log.self)
    let config: Config = try await r.resolveAsync()
    var port = config.port
    if port == 0 { port = 25 }
    let smtp = try SMPT(url: "x")  // SLIP
    log.info("built \(port)")
    return smtp
  }
}

func misspelledResolveInALongOne(_ container: Container) throws {
  try container.registerAsync(SMTP.self) { r in
    let log = try await r.resolveAsync(Log.self)
    let config: Config = try await r.resolveAsync()
    var port = config.port
    if port == 0 { port = 25 }
    let port: Int = try r.resolv()  // SLIP
    log.info("built \(port)")
    return SMTP(log: log, config: config)
  }
}
