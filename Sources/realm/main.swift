// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTools

exit(RealmTool.run(Array(CommandLine.arguments.dropFirst())))
