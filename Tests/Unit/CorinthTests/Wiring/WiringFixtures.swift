// SPDX-License-Identifier: MIT

import Corinth

protocol Mail: AnyObject, Sendable {
  var host: String { get }
}

final class Log: Sendable {
  let level: Int

  init(level: Int = 0) {
    self.level = level
  }
}

final class SMTP: Mail {
  let host: String
  let log: Log

  init(log: Log, host: String) {
    self.log = log
    self.host = host
  }
}

/// A name for parameters.
enum Backup: NameMarker { static let name: Name = "backup" }
