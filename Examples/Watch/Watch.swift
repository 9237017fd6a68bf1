// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Dispatch
import Foundation
import RealmStorage
import RealmTools

/// Prints what other programs change in a database file, as it happens.
///
///     swift run watch FILE [--json]
@main
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Prints what other programs change in a Realm database file, as it happens.",
        discussion: """
            + is an object that is new, - one that is gone, ~ one that has changed, with its old and new values. \
            Several commits in quick succession may be shown as one. Ends with an interrupt (Control-C).
            """)

    @Argument(help: "The database file.") var file: String
    @OptionGroup var key: KeyOptions
    @Flag(help: "Print one line of JSON for each object.") var json = false
    @Flag(inversion: .prefixedNo, help: "Colours. Without this, only if the output is a terminal.")
    var colour: Bool?

    func run() throws {
        let database = try Database.open(file, readOnly: true, joining: .existing, cipher: key.cipher())
        let printer = ChangePrinter(asJSON: json, inColour: colour ?? (isatty(1) == 1))
        let commits = DispatchSemaphore(value: 0)
        let token = try database.onForeignCommit { commits.signal() }
        var shown = try database.snapshot(label: "watch")
        printer.begin(shown)
        // Nothing runs until the kernel says that a process has written.
        while true {
            commits.wait()
            let newest = try database.snapshot(label: "watch")
            guard newest.version != shown.version else { continue }
            try printer.show(VersionDiff(from: shown, to: newest))
            shown = newest
        }
        withExtendedLifetime(token) {}
    }
}
