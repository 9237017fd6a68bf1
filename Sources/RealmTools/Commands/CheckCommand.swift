// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmStorage

/// `realm check`
struct CheckCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Audits the whole file against the file format.",
        discussion: """
            Prints one line for each violation:

              pets.realm: @1264: 2:7.3 M39: class_Dog.tags: set is not strictly ascending
              file        offset rule       where and what

            "2:7.3" is section 7.3 of part 2 of the format specification, "M39" item 39 of its checklist. Remnants, \
            which readers have to accept and writers must not produce, are only counted.
            """)

    @Argument(help: "The database file.") var file: String
    @OptionGroup var key: KeyOptions
    @Flag(help: "Count remnants as violations.") var strict = false

    func execute(output: TextOutput) throws -> Int32 {
        let report = try FileAudit.report(on: file, cipher: key.cipher(), strict: strict)
        for line in CheckReportText(report, path: file).lines { try output.writeLine(line) }
        return report.isClean ? ExitStatus.fine : ExitStatus.faults
    }
}
