// SPDX-License-Identifier: MIT
import Corinth

@MainActor final class ViewModel {}

func register(_ container: Container) throws {
  try container.register(Int.self) { _ in
    await Task.yield()
    return 1
  }
  try container.register(Int.self) { (_, id: Int) in
    await Task.yield()
    return id
  }
  try container.register(ViewModel.self) { @MainActor _ in ViewModel() }
  try container.registerAsync(ViewModel.self, scope: .singleton) { @MainActor _ in ViewModel() }
}
