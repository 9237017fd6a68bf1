// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser

struct DumpCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Prints all objects as JSON.",
        discussion: """
            Prints the schema of every table and its objects, one object per line. Strings and data of more than \
            16,384 bytes, and collections of more than 20,000 elements, are replaced by their length and SHA-256.
            """)

    @Argument(help: "The database file.") var file: String
    @OptionGroup var key: KeyOptions
    @Flag(help: "Also print the changesets of the history.") var history = false
    @Flag(help: "Print JSON, which is the default.") var json = false

    func execute(output: TextOutput) throws -> Int32 {
        let opened = try OpenFile(file, cipher: key.cipher())
        let total = try DatabaseInfo(opened).objectCount
        try output.withProgress("dumping", total: total, .things("objects")) { progress in
            try DatabaseDump(opened, to: output, progress).write(withHistory: history)
        }
        try opened.verifyUnmoved()
        return ExitStatus.fine
    }
}
