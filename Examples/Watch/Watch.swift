// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTools

/// Prints the changes that other programs make to a database file, as they happen: the command `realm watch` as a
/// separate program.
///
///     swift run watch FILE [--json]
@main
struct Watch {
    static func main() { exit(RealmTool.run(["watch"] + CommandLine.arguments.dropFirst())) }
}
