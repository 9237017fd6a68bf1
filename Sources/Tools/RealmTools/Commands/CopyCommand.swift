// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmStorage
import RealmSystem
import RealmValues

struct CopyCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copies the newest version to a new file, without free space.",
        discussion: """
            The copy is encrypted like FILE, with another key (--new-key, --new-key-file), or not at all (--decrypt). \
            FILE can be in use meanwhile. The copy of a file of an older format has the current format.
            """)

    @Argument(help: "The database file.") var file: String
    @Argument(help: "The new file, which must not exist.") var out: String
    @OptionGroup var key: KeyOptions
    @OptionGroup var newKey: NewKeyOptions
    @Flag(help: "Begin the copy at version 1, without the history.") var newVersion = false
    @Flag(help: "Print JSON.") var json = false

    func execute(output: TextOutput) throws -> Int32 {
        let old = try key.cipher()
        let new = try newKey.cipher(insteadOf: old)
        try WritableFile.requireNone(at: out)
        let opened = try OpenFile(file, cipher: old)
        let permissions = FilePermissions(ofFileAt: file, else: .ownerOnly).usedByOwner
        let options = CopyOptions(keepsVersion: !newVersion)
        let total = max(0, opened.snapshot.top?.logicalSize ?? 0)
        try output.withProgress("copying", total: total, .bytes) { progress in
            try UnfinishedOutput.guarded(out) { part in
                try NewFile.write(
                    out, permissions, part: part, wrap: { CountingFile(try EncryptedFile.wrap($0, new), progress) },
                    {
                        try opened.snapshot.writeCopy(to: $0, options)
                        try opened.verifyUnmoved()
                    })
            }
        }
        let result = FileSizes(path: out, before: opened.byteCount, after: try OpenFile.disk(out).size())
        try result.write(asJSON: json, isEncrypted: new != nil, to: output)
        return ExitStatus.fine
    }
}

struct FileSizes {
    let path: String
    let before: Int
    let after: Int

    func write(asJSON: Bool, isEncrypted: Bool, to output: TextOutput) throws {
        guard asJSON else {
            let note = isEncrypted ? ", encrypted" : ""
            return try output.writeLine(
                "\(path.printable): \(after.counted("byte")) instead of \(before.grouped)\(note)")
        }
        try output.writeLine(
            JSONText.object { json in
                json.member("file", path)
                json.member("bytesBefore", before)
                json.member("bytes", after)
                json.member("encrypted", isEncrypted)
            })
    }
}
