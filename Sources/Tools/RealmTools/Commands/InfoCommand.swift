// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser

struct InfoCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Prints the file's format, version, size and tables.")

    @Argument(help: "The database file.") var file: String
    @OptionGroup var key: KeyOptions
    @Flag(help: "Print JSON.") var json = false

    func execute(output: TextOutput) throws -> Int32 {
        let opened = try OpenFile(file, cipher: key.cipher())
        let info = try DatabaseInfo(opened)
        try opened.verifyUnmoved()
        if json {
            try output.write(info.json.bytes)
            try output.write("\n")
        } else {
            for line in info.lines { try output.writeLine(line) }
        }
        return ExitStatus.fine
    }
}
