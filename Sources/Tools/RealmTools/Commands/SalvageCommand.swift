// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation
import RealmStorage
import RealmSystem

struct SalvageCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Recovers all readable objects of a damaged file into a new file.",
        discussion: """
            FILE is not changed. Objects keep their keys. A value that cannot be read gets its default, and a link to \
            a lost object becomes null. If the newest version cannot be read at all, an older version that is still in \
            the file is used, or data that resembles the file's tables. Prints the losses; the exit status is 1 if \
            there are any.
            """)

    @Argument(help: "The damaged file.") var file: String
    @Argument(help: "The new file, which must not exist.") var out: String
    @OptionGroup var key: KeyOptions
    @Flag(help: "Print JSON.") var json = false

    func execute(output: TextOutput) throws -> Int32 {
        let cipher = try key.cipher()
        try WritableFile.requireNone(at: out)
        let size = try OpenFile.disk(file).size()
        let image = try output.withProgress("reading", total: size, .bytes) { progress in
            try SalvageImage(of: file, cipher: cipher, progress)
        }
        let reader = try SalvageReader(image)
        var report = try output.withProgress("saving", total: reader.stepCount, .things("objects")) { progress in
            try UnfinishedOutput.write(out) { part in
                try Salvage(
                    reader, byteCount: image.byteCount, into: try Database.open(part, cipher: cipher), progress
                ).run()
            }
        }
        report.unreadablePageCount = image.unreadablePageCount
        if json {
            try output.writeLine(report.json)
        } else {
            for line in report.lines { try output.writeLine(line) }
        }
        return report.isWhole ? ExitStatus.fine : ExitStatus.faults
    }
}
