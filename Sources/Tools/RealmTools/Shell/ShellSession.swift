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
        for table in try source.tableKeys().sorted().compactMap({ try source.table($0) }) {
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
        let write = try database.beginWrite()
        self.write = write
        defer { self.write = nil }
        do {
            let text = try body(write)
            try write.commit()
            try output.writeLine(text)
        } catch {
            if write.isOpen { write.rollback() }
            throw error
        }
    }

    private func create(_ name: String, _ json: String, _ write: WriteTransaction) throws -> String {
        guard let table = try write.table(named: FileFormat.classPrefix + name) else {
            throw mistake("there is no class '\(name)'")
        }
        let object = try writer(write).create(in: table, nil, try values(json, table, write))
        return "created \(name) \(object.rawValue)"
    }

    private func update(_ query: String, _ json: String, _ write: WriteTransaction) throws -> String {
        let (table, statement, source) = try compiled(query)
        let values = try values(json, table, write)
        let keys = try statement.objects(in: source)
        for key in keys {
            for (column, value) in values { try writer(write).set(value, column, of: key, in: table.key) }
        }
        return "changed " + keys.count.counted("object")
    }

    private func delete(_ query: String, _ write: WriteTransaction) throws -> String {
        let (table, statement, source) = try compiled(query)
        let keys = try statement.objects(in: source)
        try write.removeObjects(keys, from: table.key)
        return "deleted " + keys.count.counted("object")
    }

    private func writer(_ write: WriteTransaction) -> ObjectWriter {
        ObjectWriter(write: write) { name in
            switch name {
            case .key(let table, let key):
                guard try write.require(table).find(key) != nil else { break }
                return ObjectLink(table: table, object: key)
            case .primaryKey(let table, let value):
                guard let key = try write.require(table).object(primaryKey: value) else { break }
                return ObjectLink(table: table, object: key)
            }
            throw ShellStatement.Mistake(description: "a link to an object that is not there")
        }
    }

    private func values(
        _ json: String, _ table: Table, _ write: WriteTransaction
    ) throws -> [(column: Column, value: DetachedValue)] {
        guard case .object(let members) = try ForeignValue(parsing: json) else {
            throw mistake("values are a JSON object")
        }
        let parser = ValueParser(source: write, cellsHoldJSON: false)
        return try members.map { member in
            let name = ValueParser.unescaped(member.name)
            guard let column = table.column(named: name) else {
                throw mistake("'\(table.className ?? table.name)' has no property '\(name)'")
            }
            do {
                return (column, try parser.value(member.value, column, of: table))
            } catch let error as ValueParser.Mismatch {
                throw mistake("'\(name)' \(error.message)")
            }
        }
    }

    private func mistake(_ text: String) -> ShellStatement.Mistake { ShellStatement.Mistake(description: text) }

    private var readOnly: ShellStatement.Mistake {
        mistake("the file is open for reading; start the shell with --write")
    }
}
