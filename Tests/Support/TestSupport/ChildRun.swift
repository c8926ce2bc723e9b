// SPDX-License-Identifier: MIT

public import Foundation

/// A child process and its end.
public struct ChildRun {
  public let status: Int32
  private let signal: Int32?
  private let output: String

  public enum Executable {
    /// The running one.
    case this
    /// A program beside the tests, by its name.
    case product(String)

    fileprivate var url: URL {
      switch self {
      case .this: Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
      case .product(let name): Self.products.appendingPathComponent(name)
      }
    }

    private static var products: URL {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }
  }

  /// - Parameters:
  ///   - limit: the seconds after which the child is killed; `nil` for never.
  ///   - showsCrash: whether a crash is printed with the stack, which takes a second.
  ///   - variables: the child's environment, beside the variables of this process.
  public init(
    _ executable: Executable, _ arguments: [String], limit: TimeInterval?, showsCrash: Bool = false,
    variables: [String: String] = [:]
  ) {
    let process = Process()
    process.executableURL = executable.url
    process.arguments = arguments
    let backtrace =
      showsCrash ? "enable=yes,threads=crashed,registers=none,images=none,color=no" : "enable=no"
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": backtrace]) { $1 }.merging(variables) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    if showsCrash { process.standardError = pipe }
    do { try process.run() } catch {
      preconditionFailure("ChildRun.init: \(executable.url.path) must be there: \(error)")
    }
    let timer = limit.map { Self.kill(process.processIdentifier, after: $0) }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    timer?.cancel()
    output = String(decoding: data, as: UTF8.self)
    let wasKilled = process.terminationReason == .uncaughtSignal
    status = process.terminationStatus + (wasKilled ? 128 : 0)
    signal = wasKilled ? process.terminationStatus : nil
  }

  private static func kill(
    _ process: Int32, after limit: TimeInterval
  ) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + limit)
    timer.setEventHandler { Foundation.kill(process, SIGKILL) }
    timer.resume()
    return timer
  }

  /// The output of the child, or the signal that ended the child.
  public func describe() -> String {
    switch signal {
    case nil: output
    case SIGKILL?: "hang: the process was killed\n" + output
    case SIGALRM?: "hang: the process was stuck\n" + output
    case let signal?: "crash: signal \(signal)\n" + output
    }
  }
}
