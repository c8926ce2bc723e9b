// SPDX-License-Identifier: MIT

import DialectHistories
import Foundation

exit(DialectCommandLine(Array(CommandLine.arguments.dropFirst())).run())
