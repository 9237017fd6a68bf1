// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation
import RealmStorage

struct WatchCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Prints the changes that other programs make to the file, as they happen.",
        discussion: """
            + marks a new object, - a deleted object, and ~ a changed object with its old and new values. Several \
            commits in quick succession may be printed as one. Runs until an interrupt (Control-C).
            """)

    @Argument(help: "The database file.") var file: String
    @OptionGroup var key: KeyOptions
    @Flag(help: "Print one line of JSON for each object.") var json = false
    @Flag(inversion: .prefixedNo, help: "Print colours. By default, only if the output is a terminal.")
    var colour: Bool?

    func execute(output: TextOutput) throws -> Int32 {
        // Other processes can open the file after this.
        let followed = try FollowedFile(file, cipher: key.cipher(), label: "watch")
        guard followed.database.takesPart else {
            throw StorageError(
                .permissionDenied,
                "no files can be created next to this file, so changes of other programs cannot be detected")
        }
        var terminal = output.terminal
        terminal.showsColours = colour ?? terminal.showsColours
        let printer = ChangePrinter(asJSON: json, terminal: terminal, output: output)
        let commits = DispatchSemaphore(value: 0)
        try followed.onForeignCommit { commits.signal() }
        try printer.begin(followed.snapshot)
        // Sleeps until the kernel reports a write of another program.
        while true {
            commits.wait()
            if let changes = try followed.advance() { try printer.show(changes) }
        }
    }
}
