// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser

/// `realm sync-log`
struct SyncLogCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync-log",
        abstract: "Prints the history of a synchronised file.",
        discussion: """
            Each version that the history tells of, when it was made and where, with the instructions of what was \
            written here:

              version 13  2026-11-27T12:58:11.868Z  here, server version 2, to upload
                AddInteger Person[1].age +5
            """)

    @Argument(help: "The database file.") var file: String
    @OptionGroup var key: KeyOptions
    @Flag(help: "Also print what merges with changes of others have made of the instructions.") var forms = false
    @Flag(help: "Print a JSON array with a version per line.") var json = false

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
