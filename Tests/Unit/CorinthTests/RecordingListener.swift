// SPDX-License-Identifier: MIT

import Corinth

/// A behavior that writes down the key of each registration.
struct RecordingListener: Behavior {
  let journal = Journal()

  func didRegister<Product>(
    type: Product.Type, to container: Container, as registration: Registration<Product>,
    with name: String?
  ) {
    journal.write("\(registration.key)")
  }
}
