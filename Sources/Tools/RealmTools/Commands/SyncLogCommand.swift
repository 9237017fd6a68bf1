// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser

struct SyncLogCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync-log",
        abstract: "Prints the history of a synchronised file.",
        discussion: """
            Prints each version in the history with its time and origin, and the instructions that were written on \
            this client:
              version 13  2026-11-27T12:58:11.868Z  here, server version 2, to upload
                AddInteger Person[1].age +5
            """)

    @Argument(help: "The database file.") var file: String
    @OptionGroup var key: KeyOptions
    @Flag(help: "Also print the instructions after merging them with the changes of others.") var forms = false
    @Flag(help: "Print a JSON array with one version per line.") var json = false

    func execute(output: TextOutput) throws -> Int32 {
        let opened = try OpenFile(file, cipher: key.cipher())
        let listing = try HistoryListing(opened, to: output, showingForms: forms)
        try output.withProgress("reading", total: listing.count, .things("versions")) { progress in
            if json { try listing.writeJSON(progress) } else { try listing.write(progress) }
        }
        try opened.verifyUnmoved()
        return ExitStatus.fine
    }
}
