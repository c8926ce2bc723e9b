// SPDX-License-Identifier: MIT

import SwiftInjectionsDialect
import XCTest
