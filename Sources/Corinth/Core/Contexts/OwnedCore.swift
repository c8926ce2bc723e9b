// SPDX-License-Identifier: MIT

/// The core of a container whose deinit has begun, without a further reference: others are looked for.
@safe
struct OwnedCore {
  // SAFETY: the container has a reference until the end of its deinit.
  let unretained: Unmanaged<ContainerCore>

  @inline(__always)
  init(unretained: Unmanaged<ContainerCore>) {
    unsafe self.unretained = unretained
  }

  @inline(__always)
  init(_ core: ContainerCore) {
    unsafe unretained = Unmanaged.passUnretained(core)
  }
}
