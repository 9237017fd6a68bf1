// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage
import RealmValues

final class ShellSession {
    private let database: Database
    private let byteCount: Int
    private let output: TextOutput
    private let canWrite: Bool
    private(set) var write: WriteTransaction?
    private var mode: Mode
    private var limit = 100

    private enum Mode: String, CaseIterable {
        case table, json, csv
    }

    static let dotCommands = [
        ".begin", ".commit", ".explain", ".help", ".limit", ".mode", ".quit", ".rollback", ".schema", ".tables",
    ]

    init(_ database: Database, byteCount: Int, canWrite: Bool, printsJSON: Bool, _ output: TextOutput) {
        mode = printsJSON ? .json : .table
        self.database = database
        self.byteCount = byteCount
        self.canWrite = canWrite
        self.output = output
    }

    var prompt: String { write == nil ? "realm> " : "realm*> " }

    func source() throws -> any TableSource {
        if let write { return write }
        return try database.snapshot(label: "shell")
    }

    func run(_ line: String) throws -> Bool {
        guard let statement = try ShellStatement(line) else { return true }
        defer { try? output.flush() }
        switch statement {
        case .command(let name, let argument): return try command(name, argument)
        case .query(let text): try list(text)
        case .create(let name, let json): try change { try create(name, json, $0) }
        case .update(let query, let json): try change { try update(query, json, $0) }
        case .delete(let query): try change { try delete(query, $0) }
        }
        return true
    }

    func end() -> Bool {
        guard let write, write.isOpen else { return false }
        write.rollback()
        self.write = nil
        return true
    }

    private func command(_ name: String, _ argument: String) throws -> Bool {
        switch name {
        case ".quit", ".exit": return false
        case ".help": for line in ShellSession.help { try output.writeLine(line) }
        case ".tables": try listTables()
        case ".schema": try listSchema(argument)
        case ".explain": try explain(argument)
        case ".mode":
            guard let mode = Mode(rawValue: argument) else { throw mistake(".mode table, .mode json or .mode csv") }
            self.mode = mode
        case ".limit":
            guard let limit = Int(argument), limit >= 0 else { throw mistake(".limit and a number") }
            self.limit = limit
        case ".begin":
            guard canWrite else { throw readOnly }
            guard write == nil else { throw mistake("a transaction is open already") }
            write = try database.beginWrite()
        case ".commit":
            let version = try openWrite.commit()
            write = nil
            try output.writeLine("version \(version)")
        case ".rollback":
            try openWrite.rollback()
            write = nil
        default: throw mistake("there is no command \(name); .help lists them")
        }
        return true
    }

    private var openWrite: WriteTransaction {
        get throws {
            guard let write else { throw mistake("no transaction is open; .begin opens one") }
            return write
        }
    }

    private static let help = [
        "Dog WHERE age > 3 SORT(name ASC)    objects that a query finds",
        "CREATE Dog {\"name\": \"Rex\"}          a new object",
        "UPDATE Dog WHERE age > 3 SET {\"age\": 4}",
        "DELETE Dog WHERE age > 3",
        ".tables                             classes with their numbers of objects",
        ".schema [CLASS]                     classes with their properties",
        ".explain QUERY                      how a query finds its objects",
        ".mode table|json|csv                how objects are printed",
        ".limit COUNT                        print no more objects than this (100)",
        ".begin .commit .rollback            several changes together; without, each is committed at once",
        ".quit                               or the end of the input",
    ]

    private func listTables() throws {
        var lines = TextTable([.left, .right])
        let source = try source()
        for table in try source.allTables() {
            guard let name = table.className else { continue }
            lines.add([name.printable, try table.count().grouped])
        }
        for line in lines.lines { try output.writeLine(line) }
    }

    private func listSchema(_ name: String) throws {
        let all = try SchemaDescription(try source())
        let chosen = name.isEmpty ? all : SchemaDescription(tables: all.tables.filter { $0.className == name })
        guard !chosen.tables.isEmpty || name.isEmpty else { throw mistake("there is no class '\(name)'") }
        for line in SchemaListing(chosen).lines { try output.writeLine(line) }
    }

    // MARK: Queries

    private func compiled(_ text: String, limit: Int? = nil) throws -> (Table, CompiledStatement, any TableSource) {
        let source = try source()
        let (table, condition) = try QueryTarget.find(text, className: nil, in: source)
        var statement = try QueryStatement(parsing: condition)
        if let limit { statement.steps.append(.limit(limit)) }
        return (table, try CompiledStatement(statement, on: table.key, in: source), source)
    }

    private func list(_ text: String) throws {
        let (table, statement, source) = try compiled(text, limit: limit)
        let keys = try statement.objects(in: source)
        let listing = QueryListing(
            table: table, keys: keys, source: source, budget: ReadBudget(byteCount: byteCount), output: output)
        switch mode {
        case .table: try listing.writeTable()
        case .json: try listing.writeJSON()
        case .csv: try listing.writeCSV()
        }
        if keys.count == limit, mode == .table { try output.writeLine("there may be more: .limit prints them") }
    }

    private func explain(_ text: String) throws {
        let (_, statement, source) = try compiled(text)
        for line in try statement.explain(in: source).description.split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            try output.writeLine(String(line).printable)
        }
    }

    // MARK: Changes

    private func change(_ body: (WriteTransaction) throws -> String) throws {
        guard canWrite else { throw readOnly }
        if let write { return try output.writeLine(try body(write)) }
        defer { write = nil }
        try output.writeLine(
            try database.write {
                write = $0
                return try body($0)
            })
    }

    private func create(_ name: String, _ json: String, _ write: WriteTransaction) throws -> String {
        guard let table = try write.table(named: FileFormat.classPrefix + name) else {
            throw mistake("there is no class '\(name)'")
        }
        let object = try ObjectWriter(linkingToExistingObjectsIn: write)
            .create(in: table, nil, try values(json, table, write))
        return "created \(name) \(object.rawValue)"
    }

    private func update(_ query: String, _ json: String, _ write: WriteTransaction) throws -> String {
        let (table, statement, source) = try compiled(query)
        let (values, writer) = (try values(json, table, write), ObjectWriter(linkingToExistingObjectsIn: write))
        let keys = try statement.objects(in: source)
        for key in keys {
            for (column, value) in values { try writer.set(value, column, of: key, in: table.key) }
        }
        return "changed " + keys.count.counted("object")
    }

    private func delete(_ query: String, _ write: WriteTransaction) throws -> String {
        let (table, statement, source) = try compiled(query)
        let keys = try statement.objects(in: source)
        try write.removeObjects(keys, from: table.key)
        return "deleted " + keys.count.counted("object")
    }

    private func values(
        _ json: String, _ table: Table, _ write: WriteTransaction
    ) throws -> [(column: Column, value: DetachedValue)] {
        guard case .object(let members) = try ForeignValue(parsing: json) else {
            throw mistake("values are a JSON object")
        }
        return try ValueParser(source: write, cellsHoldJSON: false)
            .values(members.map { (ValueParser.unescaped($0.name), $0.value) }, of: table)
    }

    private func mistake(_ text: String) -> ShellStatement.Mistake { ShellStatement.Mistake(description: text) }

    private var readOnly: ShellStatement.Mistake {
        mistake("the file is open for reading; start the shell with --write")
    }
}
