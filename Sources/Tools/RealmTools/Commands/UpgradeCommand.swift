// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmStorage
import RealmSystem
import RealmValues

struct UpgradeCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Upgrades a file of an older format.",
        discussion: """
            A file of format 2 to 23 becomes one of format 24 in a single commit: after a crash, either the old or the \
            new file exists. First the file is copied to name.vN.backup.realm in the same folder, unless --no-backup \
            is given. With --local, the file of a synchronised Realm is permanently converted to a local one.
            """)

    @Argument(help: "The database file to change.") var file: String
    @OptionGroup var key: KeyOptions
    @Flag(inversion: .prefixedNo, help: "Copy the file before it is changed.") var backup = true
    @Flag(help: "Convert the file of a synchronised Realm to a local one.") var local = false
    @Flag(help: "Print JSON.") var json = false

    func execute(output: TextOutput) throws -> Int32 {
        let cipher = try key.cipher()
        let before = try format(cipher)
        let copy = UpgradeBackup.path(for: Folder.absolute(Folder.followed(file)), format: before)
        let hadCopy = Folder.holds(copy)
        let database = try output.withProgress("upgrading", .things("rows")) { progress in
            var options = OpenOptions()
            options.makesBackup = backup
            options.historyConversion = local ? .local : .none
            options.upgradeProgress = {
                progress.reach($0.rowsDone, of: $0.rowCount, in: "upgrading \($0.table.printable)")
            }
            return try WritableFile.open(file, cipher: cipher, options: options)
        }
        let outcome = UpgradeOutcome(
            path: file, before: before, after: database.header.format,
            copy: !hadCopy && Folder.holds(copy) ? copy : nil, notes: database.upgradeNotes)
        if json {
            try output.writeLine(outcome.json)
        } else {
            for line in outcome.lines { try output.writeLine(line) }
        }
        return ExitStatus.fine
    }

    private func format(_ cipher: (any PageCipher)?) throws -> UInt8 {
        let disk = try EncryptedFile.wrap(try OpenFile.disk(file), cipher)
        return try FileHeader(disk, size: try disk.size()).format
    }
}

private struct UpgradeOutcome {
    let path: String
    let before: UInt8
    let after: UInt8
    let copy: String?
    let notes: [String]

    var lines: [String] {
        let head =
            if after != FileFormat.version {
                "nothing was committed to it yet, so there is nothing to upgrade; its first commit makes it one of "
                    + "format \(FileFormat.version)"
            } else if before == after {
                "is of format \(after) already"
            } else {
                "was of format \(before), is of format \(after)"
            }
        return ["\(path.printable): \(head)"] + (copy.map { ["copy: " + $0.printable] } ?? [])
            + notes.map { "note: " + $0.printable }
    }

    var json: JSONText {
        JSONText.object { json in
            json.member("file", path)
            json.member("formatBefore", before)
            json.member("format", after)
            json.member("copy", copy)
            json.member("notes", notes) { $0.string($1) }
        }
    }
}
