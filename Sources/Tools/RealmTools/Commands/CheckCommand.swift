// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmCheck
import RealmStorage

struct CheckCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks the whole file against the specification of the file format.",
        discussion: """
            Prints one line for each violation:

              pets.realm: @1264: 2:7.3 M39: class_Dog.tags: set is not strictly ascending
              file        offset rule       location and problem

            "2:7.3" is section 7.3 of part 2 of the format specification, "M39" item 39 of its checklist. Remnants, \
            which readers must accept but writers must not produce, are only counted.
            """)

    @Argument(help: "The database file.") var file: String
    @OptionGroup var key: KeyOptions
    @Flag(help: "Count remnants as violations.") var strict = false
    @Flag(help: "Print JSON.") var json = false

    func execute(output: TextOutput) throws -> Int32 {
        let cipher = try key.cipher()
        let report = try output.withProgress("checking", .bytes) { progress in
            let options = CheckOptions(strict: strict) { progress.reach($0, of: $1, in: "checking") }
            return try HistoryAudit.completed(
                FileAudit.report(on: file, cipher: cipher, options: options), of: file, cipher: cipher)
        }
        let text = CheckReportText(report, path: file)
        if json {
            try output.writeLine(text.json)
        } else {
            for line in text.lines { try output.writeLine(line) }
        }
        return report.isClean ? ExitStatus.fine : ExitStatus.faults
    }
}
