// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation
import RealmStorage
import RealmSystem

/// `realm salvage`
struct SalvageCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Takes every object that can still be read out of a damaged file into a new one.",
        discussion: """
            FILE is only read. Objects keep their keys; a value that cannot be read gets its default, a link to an \
            object that is lost becomes null. If the newest version cannot be read at all, an older one that is still \
            in the file is taken, or what looks like its tables. Prints what was lost; exit status 1 if anything was.
            """)

    @Argument(help: "The damaged file.") var file: String
    @Argument(help: "The file to make; there must be none.") var out: String
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
