// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTools

/// Prints what other programs change in a database file, as it happens: the command `realm watch` as a program of its
/// own.
///
///     swift run watch FILE [--json]
@main
struct Watch {
    static func main() { exit(RealmTool.run(["watch"] + CommandLine.arguments.dropFirst())) }
}
