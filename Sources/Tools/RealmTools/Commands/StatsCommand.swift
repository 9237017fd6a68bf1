// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser

struct StatsCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Prints the size in bytes of each class, property and index, and of the free space.",
        discussion: """
            Fill is the used share of the slots for objects; it falls when scattered objects are deleted. 'rest' is \
            the space of a class's tree nodes and schema.
            """)

    @Argument(help: "The database file.") var file: String
    @OptionGroup var key: KeyOptions
    @Flag(help: "Print JSON.") var json = false

    func execute(output: TextOutput) throws -> Int32 {
        let opened = try OpenFile(file, cipher: key.cipher())
        let total = try SpaceStatistics.work(on: opened)
        let statistics = try output.withProgress("measuring", total: total, .bytes) { progress in
            try SpaceStatistics(opened) { progress.advance(by: $0) }
        }
        try opened.verifyUnmoved()
        if json {
            try output.writeLine(statistics.json)
        } else {
            for line in statistics.lines { try output.writeLine(line) }
        }
        return ExitStatus.fine
    }
}
