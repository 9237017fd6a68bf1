// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmStorage
import RealmSystem

/// `realm pins`
struct PinsCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "pins",
        abstract: "Lists which programs keep which version of the file.",
        discussion: """
            A version is kept by a Realm that has not advanced, by frozen objects, and the like. Space that it uses \
            and newer versions do not is not used again meanwhile, so the file grows. Of running programs that are \
            built with Regnum, oldest version first. A 'writer' has the write lock, for which all others wait.
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
