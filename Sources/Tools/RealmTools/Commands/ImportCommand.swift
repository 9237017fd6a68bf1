// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation
import RealmStorage
import RealmSyncCore
import RealmSystem
import RealmValues

struct ImportCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Adds the objects of a JSON, CSV or SQLite file to a database file.",
        discussion: """
            FILE is created if it does not exist. Types are those recorded by 'realm export', or are inferred from the \
            first 10,000 records and shown before anything is written. Classes that FILE already has keep their types. \
            If a record does not fit, its location is reported and nothing is imported; with --skip-bad, all other \
            records are imported. Links are primary keys, or object keys for classes without one, and can precede \
            their target.

              realm import pets.realm dogs.csv --class Dog --primary-key id --map "Dog name=name"
              realm import pets.realm pets.json --update --dry-run
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
        case json, jsonl, csv, sqlite

        init?(of path: String) {
            switch URL(fileURLWithPath: path).pathExtension.lowercased() {
            case "json": self = .json
            case "jsonl", "ndjson": self = .jsonl
            case "csv": self = .csv
            case "sqlite", "sqlite3", "db", "db3": self = .sqlite
            case _ where FileStatus(path)?.isFolder == true: self = .csv
            default: return nil
            }
        }
    }

    @Argument(help: "The database file to change.") var file: String
    @Argument(help: "The file to read, or - for standard input. For CSV, also a folder with a file for each class.")
    var input: String
    @OptionGroup var key: KeyOptions
    @Option(
        help: """
            The format of the input: json, jsonl (a JSON object in each line), csv or sqlite. Without it, the format \
            is inferred from the file name.
            """)
    var from: Format?
    @Option(
        name: .customLong("class"),
        help: .init(
            "The class of objects that do not name one. Without it, the name of the file is used.", valueName: "name")
    )
    var className: String?
    @Option(
        help: .init(
            """
            Renames a field (field=property), omits it (field=), or sets its type (field:int?). Types: int, bool, \
            string, data, date, float, double, decimal, objectId, uuid, mixed, or a class for links.
            """,
            valueName: "mapping"))
    var map: [FieldMapping] = []
    @Option(help: .init("The property that becomes the primary key of new classes.", valueName: "name"))
    var primaryKey: String?
    @Flag(help: "Update existing objects that have the primary key of a record.") var update = false
    @Flag(help: "Perform all steps, but discard the result.") var dryRun = false
    @Flag(help: "Skip records that do not fit.") var skipBad = false
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        guard from != nil || Format(of: input) != nil else {
            throw ValidationError("--from is missing: the format cannot be inferred from the name of the input.")
        }
    }

    private var format: Format { from ?? Format(of: input) ?? .json }

    func execute(output: TextOutput) throws -> Int32 {
        let cipher = try key.cipher()
        // The progress of a text file is measured in bytes.
        let size = format == .sqlite || input == "-" ? nil : try? OpenFile.disk(input).size()
        let unit: Progress.Unit = size == nil ? .things("records") : .bytes
        let outcome = try output.withProgress("importing", total: size, unit) { progress in
            do {
                let run = FileImport(
                    path: file, cipher: cipher, source: try source(size == nil ? nil : progress), mappings: map,
                    primaryKey: primaryKey, updates: update, skipsBadRows: skipBad, isDryRun: dryRun,
                    progress: size == nil ? progress : nil)
                return try run.run { schema, existing in
                    if !json { try show(schema, existing, output) }
                }
            } catch let error where error is BadRow || error is JSONError {
                // The line refers to the input, not to the database file.
                throw TransferError("\(input): \(error)")
            }
        }
        if json {
            try output.writeLine(summary(outcome))
        } else {
            for row in outcome.badRows { try output.writeLine("left out: \(row.description.printable)") }
            if outcome.badRowCount > outcome.badRows.count {
                try output.writeLine("left out: \((outcome.badRowCount - outcome.badRows.count).grouped) more")
            }
            if outcome.lostLinkCount > 0 {
                try output.writeLine("made null: links to \(outcome.lostLinkCount.counted("object")) that is not there")
            }
            try output.writeLine(
                (dryRun ? "would import " : "imported ") + outcome.imported.counted("object")
                    + (outcome.badRowCount > 0 ? ", left out \(outcome.badRowCount.grouped)" : ""))
        }
        return ExitStatus.fine
    }

    /// `progress` counts the bytes read.
    private func source(_ progress: Progress?) throws -> any ImportSource {
        let base = input == "-" ? "Object" : URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent
        let name = className ?? base
        switch format {
        case .json: return try JSONRecords(try ByteSource(path: input, progress: progress), className: name)
        case .jsonl: return try JSONLineRecords(try ByteSource(path: input, progress: progress), className: name)
        case .csv: return try CSVRecords(input, className: name, progress: progress)
        case .sqlite: return try SQLiteRecords(input, primaryKey: primaryKey, map)
        }
    }

    private func show(_ schema: SchemaDescription, _ existing: Set<String>, _ output: TextOutput) throws {
        let new = SchemaDescription(tables: schema.tables.filter { !existing.contains($0.className ?? "") })
        for line in SchemaListing(new).lines { try output.writeLine(line) }
        for name in schema.tables.compactMap(\.className) where existing.contains(name) {
            try output.writeLine("class \(name.printable), as the file has it")
        }
        for note in schema.notes { try output.writeLine("note: " + note.printable) }
        try output.flush()
    }

    private func summary(_ outcome: FileImport.Outcome) -> JSONText {
        JSONText.object { json in
            for (name, count) in [
                ("imported", outcome.imported), ("badRows", outcome.badRowCount), ("lostLinks", outcome.lostLinkCount),
            ] {
                json.member(name, count)
            }
            json.member("dryRun", dryRun)
            json.member("notes", outcome.notes) { $0.string($1) }
            json.member("firstBadRows", outcome.badRows) { json, row in
                json.object {
                    $0.member("place", row.place)
                    $0.member("message", row.message)
                }
            }
        }
    }
}
