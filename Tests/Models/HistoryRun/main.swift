// SPDX-License-Identifier: MIT

import Foundation
import Histories

exit(HistoryCommandLine(Array(CommandLine.arguments.dropFirst())).run())
