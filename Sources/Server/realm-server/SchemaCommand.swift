// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import RealmSyncServer

    struct SchemaCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Checks the schema of an app, and prints it as Swift models or JSON.",
            discussion: "See Documentation/Rules.md for the format of the JSON schemas.")

        @Argument(
            help: "A file of JSON schemas, a database such as documents.realm, or a folder that contains one.")
        var file: String

        @Flag(help: "Print model classes for `import RealmSwift`.")
        var swift = false

        @Flag(help: "Print JSON schemas.")
        var json = false

        func validate() throws {
            if swift, json { throw ValidationError("--swift and --json exclude each other.") }
        }

        func run() throws {
            let schema = try SchemaFile(path: file)
            if swift {
                print(schema.swiftModels, terminator: "")
            } else if json {
                print(schema.json)
            } else {
                print("\(file): \(schema.size.classes) classes, \(schema.size.properties) properties")
            }
        }
    }
#endif
