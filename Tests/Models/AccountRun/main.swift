// SPDX-License-Identifier: MIT

import Accounts
import Foundation

exit(AccountCommandLine(Array(CommandLine.arguments.dropFirst())).run())
