// SPDX-License-Identifier: MIT

/// The strongly connected components of a graph (Tarjan, 1972), without recursion; targets first.
///
/// - Parameters:
///   - count: the number of nodes.
///   - successors: the targets of a node's edges. Called once per node.
func stronglyConnectedGroups(count: Int, successors: (Int) -> [Int]) -> [[Int]] {
  var groups: [[Int]] = []
  var order = [Int?](repeating: nil, count: count)
  var low = [Int](repeating: 0, count: count)
  var isOpen = [Bool](repeating: false, count: count)
  var open: [Int] = []
  var next = 0
  var visits: [(node: Int, targets: ArraySlice<Int>)] = []
  func begin(_ node: Int) {
    order[node] = next
    low[node] = next
    next += 1
    open.append(node)
    isOpen[node] = true
    visits.append((node, successors(node)[...]))
  }
  func end(_ node: Int) {
    visits.removeLast()
    if let around = visits.last?.node { low[around] = min(low[around], low[node]) }
    guard low[node] == order[node], let start = open.lastIndex(of: node) else { return }
    let group = Array(open[start...])
    open.removeSubrange(start...)
    for member in group { isOpen[member] = false }
    groups.append(group)
  }
  for start in 0..<count where order[start] == nil {
    begin(start)
    while let node = visits.last?.node {
      guard let target = visits[visits.count - 1].targets.popFirst() else {
        end(node)
        continue
      }
      if let met = order[target] {
        if isOpen[target] { low[node] = min(low[node], met) }
      } else {
        begin(target)
      }
    }
  }
  return groups
}
