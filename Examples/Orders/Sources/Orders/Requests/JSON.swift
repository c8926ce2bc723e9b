// SPDX-License-Identifier: MIT

import Foundation
package import HTTP

/// Reads and writes the bodies of requests and responses.
package struct JSON: Sendable {
  private let encoder: JSONEncoder
  private let decoder = JSONDecoder()

  package init() {
    encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  package func response(_ value: some Encodable, status: Int = 200) throws -> Response {
    Response(
      status: status, headers: [("Content-Type", "application/json")],
      body: Array(try encoder.encode(value)))
  }

  package func errorResponse(_ status: Int, _ message: String) -> Response {
    // A string in a dictionary can be encoded.
    (try? response(["error": message], status: status)) ?? Response(status: status)
  }

  /// - Throws: ``RequestError`` if the body is no JSON, or other JSON.
  package func decode<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value {
    do { return try decoder.decode(type, from: Data(body)) } catch let error as DecodingError {
      throw RequestError.badRequest(error.explanation)
    }
  }
}

extension DecodingError {
  /// The fault in the client's JSON, and its place.
  fileprivate var explanation: String {
    switch self {
    case .keyNotFound(let key, let context):
      "\(context.path) lacks \"\(key.stringValue)\"."
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      "\(context.path) is no \(type)."
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      "\(context.path) cannot be read."
    // The decoder does not say where, if a number does not fit.
    default: "The body is no JSON, or a number in it does not fit."
    }
  }
}

extension DecodingError.Context {
  fileprivate var path: String {
    codingPath.isEmpty
      ? "The body"
      : codingPath.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }
        .joined(separator: ".")
  }
}
