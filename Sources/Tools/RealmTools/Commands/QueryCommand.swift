// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmQuery
import RealmStorage
import RealmValues

struct QueryCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Prints the objects that a query selects.",
        discussion: """
            The query is in Realm Query Language. It begins with the class; WHERE and everything after it are \
            optional:

              realm query pets.realm "Dog WHERE age > 3 AND ANY owners.name BEGINSWITH 'A' SORT(age DESC) LIMIT(10)"
              realm query pets.realm "Dog SORT(name)" --csv
              realm query pets.realm --class Dog "toy.name TEXT 'bone -plastic'" --explain

            If the file has only one class, the query can omit it. Names are those in the file.
            """)

    @Argument(help: "The database file.") var file: String
    @Argument(help: "The query in Realm Query Language.") var query: String
    @OptionGroup var key: KeyOptions
    @Option(
        name: .customLong("class"),
        help: .init("The class. The query then begins with its condition.", valueName: "name"))
    var className: String?
    @Flag(help: "Print a JSON array with one object per line.") var json = false
    @Flag(help: "Print comma-separated values, with a header line.") var csv = false
    @Flag(help: "Print the steps of the query, with the expected and the actual number of objects.")
    var explain = false
    @Option(help: .init("The maximum number of objects to print.", valueName: "count")) var limit: Int?

    func validate() throws {
        if [json, csv, explain].count(where: { $0 }) > 1 {
            throw ValidationError("--json, --csv and --explain exclude each other.")
        }
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    }

    func execute(output: TextOutput) throws -> Int32 {
        let opened = try OpenFile(file, cipher: key.cipher())
        let (table, text) = try QueryTarget.find(query, className: className, in: opened.snapshot)
        var statement = try QueryStatement(parsing: text)
        if let limit { statement.steps.append(.limit(limit)) }
        let compiled = try CompiledStatement(statement, on: table.key, in: opened.snapshot)
        if explain {
            let report = try output.withProgress("searching", .things("objects")) { _ in
                try compiled.explain(in: opened.snapshot)
            }
            try output.writeLine(report.description.printableLines)
            try output.writeLine("found \(report.keys.count.counted("object"))")
            try opened.verifyUnmoved()
            return ExitStatus.fine
        }
        let keys = try output.withProgress("searching", .things("objects")) { _ in
            try compiled.objects(in: opened.snapshot)
        }
        try output.withProgress("printing", total: keys.count, .things("objects")) { progress in
            var listing = QueryListing(
                table: table, keys: keys, source: opened.snapshot, budget: ReadBudget(byteCount: opened.byteCount),
                output: output)
            listing.progress = progress
            try write(listing)
        }
        try opened.verifyUnmoved()
        return ExitStatus.fine
    }

    private func write(_ listing: QueryListing) throws {
        if json {
            try listing.writeJSON()
        } else if csv {
            try listing.writeCSV()
        } else {
            try listing.writeTable()
        }
    }
}

extension String {
    /// Like `printable`, but with line breaks unchanged.
    fileprivate var printableLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
    }
}
