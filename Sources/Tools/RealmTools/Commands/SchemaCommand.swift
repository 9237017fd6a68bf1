// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmValues

struct SchemaCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the classes and their properties.",
        discussion: """
            With --swift, prints model classes for `import RealmSwift`. Add the parts that a file does not contain: \
            inverse relationships (LinkingObjects), default values, and enums behind raw values.
            """)

    @Argument(help: "The database file.") var file: String
    @OptionGroup var key: KeyOptions
    @Flag(help: "Print Swift model classes.") var swift = false
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        if swift, json { throw ValidationError("--swift and --json exclude each other.") }
    }

    func execute(output: TextOutput) throws -> Int32 {
        let opened = try OpenFile(file, cipher: key.cipher())
        let schema = try SchemaDescription(opened.snapshot)
        try opened.verifyUnmoved()
        if json {
            try output.writeLine(schema.json)
            return ExitStatus.fine
        }
        let lines = swift ? SwiftModels(schema).lines : SchemaListing(schema).lines
        for line in lines { try output.writeLine(line) }
        return ExitStatus.fine
    }
}
