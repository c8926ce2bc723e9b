// SPDX-License-Identifier: MIT

/// An element of a heap.
protocol HeapElement {
  /// Whether a heap gives out the element before another element.
  func isBefore(_ other: Self) -> Bool

  /// Called with the element's index in the heap, whenever the index changes.
  func isPlaced(at index: Int)
}

/// A binary heap: no element comes before its parent, the element at half the index.
struct Heap<Element: HeapElement> {
  private(set) var elements: [Element] = []

  var first: Element? { elements.first }

  /// - Complexity: O(log *n*).
  mutating func insert(_ element: Element) {
    elements.append(element)
    element.isPlaced(at: elements.count - 1)
    rise(from: elements.count - 1)
  }

  /// - Complexity: O(log *n*).
  mutating func popFirst() -> Element? {
    first == nil ? nil : remove(at: 0)
  }

  /// - Complexity: O(log *n*).
  @discardableResult
  mutating func remove(at index: Int) -> Element {
    exchange(index, elements.count - 1)
    let removed = elements.removeLast()
    if index < elements.count {
      sink(from: index)
      rise(from: index)
    }
    return removed
  }

  private mutating func exchange(_ first: Int, _ second: Int) {
    elements.swapAt(first, second)
    elements[first].isPlaced(at: first)
    elements[second].isPlaced(at: second)
  }

  private mutating func rise(from index: Int) {
    var index = index
    while index > 0, elements[index].isBefore(elements[(index - 1) / 2]) {
      exchange(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink(from index: Int) {
    var index = index
    while let next = [2 * index + 1, 2 * index + 2].filter({ $0 < elements.count })
      .min(by: { elements[$0].isBefore(elements[$1]) }),
      elements[next].isBefore(elements[index])
    {
      exchange(index, next)
      index = next
    }
  }
}
