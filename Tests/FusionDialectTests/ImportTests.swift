// SPDX-License-Identifier: MIT

import FusionDialect
import XCTest
