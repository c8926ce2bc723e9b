// SPDX-License-Identifier: MIT

import Foundation
import RandomGraphs

exit(CommandLineRun(Array(CommandLine.arguments.dropFirst())).run())
