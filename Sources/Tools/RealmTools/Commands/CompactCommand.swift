// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmStorage
import RealmSystem

struct CompactCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Rewrites the file without its free space.",
        discussion: """
            No other program may have the file open. After a crash, either the old or the new file exists, with the \
            same content and permissions.
            """)

    @Argument(help: "The database file to change.") var file: String
    @OptionGroup var key: KeyOptions
    @Flag(help: "Print JSON.") var json = false

    func execute(output: TextOutput) throws -> Int32 {
        let cipher = try key.cipher()
        let before = try OpenFile.disk(file).size()
        let database = try WritableFile.openAsIs(file, cipher: cipher)
        let isDone = try output.withProgress("compacting", total: before, .bytes) { progress in
            try database.compact(wrap: { CountingFile(try EncryptedFile.wrap($0, cipher), progress) })
        }
        guard isDone else {
            throw StorageError(
                .alreadyOpen, "another program has the file open ('realm pins' lists which); close it there first")
        }
        let sizes = FileSizes(path: file, before: before, after: try OpenFile.disk(file).size())
        try sizes.write(asJSON: json, isEncrypted: cipher != nil, to: output)
        return ExitStatus.fine
    }
}
