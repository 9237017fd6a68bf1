// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmQuery
import RealmStorage
import RealmSystem
import RealmValues

struct ExportCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes objects as JSON, CSV or a SQLite file, which 'realm import' can read.",
        discussion: """
            json and jsonl are written to standard output, or with --out to a file. csv of one class is also written \
            to standard output; with --out, a folder with a file for each class is made. sqlite requires --out. Links \
            are written as primary keys, or as object keys ($key) for classes without one. Embedded objects are \
            written inside their owners. Values whose type does not exist in CSV or SQLite are written as JSON text. \
            Values that a format cannot represent are reported. The output of --out has the permissions of FILE, and \
            gets its name only when it is complete.

              realm export pets.realm Dog --format csv --query "age > 3 SORT(name ASC)"
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
        case json, jsonl, csv, sqlite
    }

    @Argument(help: "The database file.") var file: String
    @Argument(help: "The classes to export. Without any, all classes are exported.") var classes: [String] = []
    @OptionGroup var key: KeyOptions
    @Option(help: "The format: json, jsonl (a JSON object in each line), csv or sqlite.") var format: Format
    @Option(help: .init("The file to make or, for csv, the folder.", valueName: "path")) var out: String?
    @Flag(
        help: """
            With --out: print a report as JSON, with the number of objects and the values that could not be represented.
            """)
    var json = false
    @Option(
        help: .init(
            "Export only the objects of one class that this query selects.", valueName: "query"))
    var query: String?

    @Flag(
        help: """
            For csv: put an apostrophe in front of text that begins with = + - @, a tab or a carriage return, which \
            spreadsheets interpret as formulas. 'realm import' keeps the apostrophe.
            """)
    var spreadsheet = false

    func validate() throws {
        if spreadsheet, format != .csv { throw ValidationError("--spreadsheet is about --format csv.") }
        if format == .sqlite, out == nil { throw ValidationError("--format sqlite needs --out.") }
        if json, out == nil { throw ValidationError("--json needs --out.") }
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
            try write(export, opened, output)
            let notes = try export.notes
            if json { return try output.writeLine(summary(total, notes)) }
            for note in notes { try output.note("note: " + note.printable) }
        }
        return ExitStatus.fine
    }

    private func summary(_ count: Int, _ notes: [String]) -> JSONText {
        JSONText.object { json in
            json.member("out", out)
            json.member("exported", count)
            json.member("notes", notes) { $0.string($1) }
        }
    }

    private func write(_ export: FileExport, _ opened: OpenFile, _ output: TextOutput) throws {
        guard let out else {
            try write(export, opened.snapshot, output)
            return try opened.verifyUnmoved()
        }
        // The output gets the permissions of FILE, because it has the same contents.
        let permissions = FilePermissions(ofFileAt: file, else: .ownerOnly).usedByOwner
        try UnfinishedOutput.write(out) { part in
            if format == .csv {
                try export.write(
                    to: try CSVExport(
                        output, opened.snapshot, folder: .init(path: part, name: out, permissions: permissions),
                        guardsFormulas: spreadsheet))
            } else {
                let target = try DiskFile.create(part, named: out, permissions)
                if format == .sqlite {
                    try export.write(to: try SQLiteExport(part, named: out, opened.snapshot))
                } else {
                    try write(export, opened.snapshot, TextOutput(to: target))
                }
                try target.sync()
            }
            try opened.verifyUnmoved()
        }
    }

    private func write(_ export: FileExport, _ snapshot: Snapshot, _ target: TextOutput) throws {
        if format == .csv {
            try export.write(to: try CSVExport(target, snapshot, folder: nil, guardsFormulas: spreadsheet))
        } else {
            try export.write(to: JSONExport(target, snapshot, isLines: format == .jsonl))
        }
        try target.flush()
    }
}
