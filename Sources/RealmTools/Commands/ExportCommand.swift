// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation
import RealmQuery
import RealmStorage

/// `realm export`
struct ExportCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes objects as JSON, CSV or a SQLite file, which 'realm import' reads again.",
        discussion: """
            json and jsonl go to standard output unless --out is given. csv of one class does too; with --out it makes \
            a folder with a file for each class. sqlite needs --out. Links are primary keys, of classes without one \
            object keys ($key); embedded objects come in those that own them; what CSV and SQLite have no type for is \
            JSON in a text. What a format cannot hold is reported.

              realm export pets.realm Dog --format csv --query "age > 3 SORT(name ASC)"
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
        case json, jsonl, csv, sqlite
    }

    @Argument(help: "The database file.") var file: String
    @Argument(help: "The classes; without any, all.") var classes: [String] = []
    @OptionGroup var key: KeyOptions
    @Option(help: "json, jsonl (a JSON object in each line), csv or sqlite.") var format: Format
    @Option(help: .init("The file, or for csv the folder, to make.", valueName: "path")) var out: String?
    @Flag(help: "With --out: print as JSON how many objects were written, and what could not be held.") var json = false
    @Option(help: .init("Only the objects of one class that this query finds.", valueName: "query")) var query: String?

    func validate() throws {
        if format == .sqlite, out == nil { throw ValidationError("--format sqlite needs --out.") }
        if json, out == nil { throw ValidationError("--json is about what --out has made.") }
        if query != nil, classes.count > 1 { throw ValidationError("--query is about one class.") }
    }

    func execute(output: TextOutput) throws -> Int32 {
        let opened = try OpenFile(file, cipher: key.cipher())
        let snapshot = opened.snapshot
        var (tables, keys): ([Table], [ObjectKey]?)
        if let query {
            let (table, text) = try QueryTarget.find(query, className: classes.first, in: snapshot)
            tables = try FileExport.classes([table.className ?? table.name], in: snapshot)
            keys = try CompiledStatement(try QueryStatement(parsing: text), on: table.key, in: snapshot)
                .objects(in: snapshot)
        } else {
            (tables, keys) = (try FileExport.classes(classes, in: snapshot), nil)
        }
        if format == .csv, out == nil, tables.count != 1 {
            throw NoClassError(message: "csv on standard output is of one class; name it, or a folder by --out")
        }
        let total = try keys?.count ?? tables.reduce(0) { try $0 + $1.count() }
        try output.withProgress("exporting", total: total, .things("objects")) { progress in
            let export = FileExport(file: opened, classes: tables, keys: keys, progress: progress)
            try write(export, snapshot, output)
            try opened.verifyUnmoved()
            let notes = try export.notes
            if json { return try output.writeLine(summary(total, notes)) }
            for note in notes { try output.note("note: " + note.printable) }
        }
        return ExitStatus.fine
    }

    private func summary(_ count: Int, _ notes: [String]) -> JSONText {
        var json = JSONText()
        json.raw("{")
        json.member("out")
        json.string(out)
        json.member("exported")
        json.integer(count)
        json.member("notes")
        json.array(notes) { $0.string($1) }
        json.raw("}")
        return json
    }

    private func write(_ export: FileExport, _ snapshot: Snapshot, _ output: TextOutput) throws {
        switch format {
        case .json, .jsonl:
            let target = try out.map { try TextOutput.file($0) } ?? output
            try export.write(to: JSONExport(target, snapshot, isLines: format == .jsonl))
            try target.flush()
        case .csv: try export.write(to: try CSVExport(output, snapshot, folder: out))
        case .sqlite: try export.write(to: try SQLiteExport(out ?? "", snapshot))
        }
    }
}
