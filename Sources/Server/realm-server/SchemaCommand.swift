// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import RealmSyncServer

    struct SchemaCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Checks the schema of an app, and prints it as Swift models or JSON.",
            usage: """
                realm-server schema [--swift | --json] <file>
                realm-server schema [--swift | --json] (--data <folder> | --postgres <url>) [--app <id>] [<partition>]
                """,
            discussion: """
                See Documentation/Rules.md for the format of the JSON schemas. Without --data and --postgres, FILE is \
                a file of JSON schemas, a database such as documents.realm, or a folder that contains one. No server \
                may run on the folder of --data meanwhile; servers on PostgreSQL can. \(PartitionOptions.partition)
                """)

        @OptionGroup var options: PartitionOptions
        @Argument(help: "The file, or the partition.") var name: String?

        @Flag(help: "Print model classes for `import RealmSwift`.")
        var swift = false

        @Flag(help: "Print JSON schemas.")
        var json = false

        func validate() throws {
            if swift, json { throw ValidationError("--swift and --json exclude each other.") }
            guard isOfStore || name != nil else { throw ValidationError("Name a file, --data, or --postgres.") }
        }

        private var isOfStore: Bool {
            let data = options.data
            return data.data != nil || data.postgres != nil || data.config != nil
        }

        /// - Throws: An error if the file or the store can't be read.
        private func schema() throws -> (schema: SchemaFile, title: String) {
            if !isOfStore, let name { return (try SchemaFile(path: name), name) }
            let schema = try SchemaFile(data: options.data.place(), app: options.app, partition: name)
            return (schema, name ?? options.app)
        }

        func run() throws {
            let (schema, title) = try schema()
            if swift {
                print(schema.swiftModels, terminator: "")
            } else if json {
                print(schema.json)
            } else {
                print("\(title): \(schema.size.classes) classes, \(schema.size.properties) properties")
            }
        }
    }
#endif
