// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmStorage
import RealmSystem

struct PinsCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "pins",
        abstract: "Lists the programs that pin versions of the file.",
        discussion: """
            A version is pinned by a Realm that has not advanced, by frozen objects, or by a running query, for \
            example. Space that pinned versions use and newer versions do not cannot be reused, so the file grows. \
            Pins of running programs built with Regnum are listed, oldest version first. A 'writer' holds the write \
            lock, for which all other writers wait.
            """)

    @Argument(help: "The database file.") var file: String
    @OptionGroup var key: KeyOptions
    @Flag(help: "Print JSON.") var json = false

    func execute(output: TextOutput) throws -> Int32 {
        let database = try Database.open(file, readOnly: true, joining: .existing, cipher: key.cipher())
        let list = PinList(pins: try database.pins(), newest: database.version, now: CurrentProcess.time)
        if json {
            try output.write(list.json.bytes)
            try output.write("\n")
        } else {
            for line in list.lines { try output.writeLine(line) }
        }
        return ExitStatus.fine
    }
}
