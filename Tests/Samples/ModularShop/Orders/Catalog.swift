// SPDX-License-Identifier: MIT

package protocol Catalog: Sendable {
  func price(of article: String) throws -> Cents
}

final class StoredCatalog: Catalog {
  private let store: any RowStore

  init(store: any RowStore) {
    self.store = store
  }

  func price(of article: String) throws -> Cents {
    guard let row = try store.row("articles/\(article)"), let price = row.first.flatMap(Int.init)
    else { throw OrderError.unknownArticle(article) }
    return price
  }
}
