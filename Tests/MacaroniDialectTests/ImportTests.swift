// SPDX-License-Identifier: MIT

import MacaroniDialect
import XCTest
