// SPDX-License-Identifier: MIT

import DICDialect
import XCTest
