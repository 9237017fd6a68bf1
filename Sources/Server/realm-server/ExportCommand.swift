// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import RealmSyncServer

    struct ExportCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Writes all objects of a partition, or of an app with flexible sync, to a file.",
            usage: "realm-server export (--data <folder> | --postgres <url>) [--app <id>] [<partition>] <file>",
            discussion: """
                FILE is the new file, which must not exist: a .realm file, or with the ending .json, .jsonl or \
                .ndjson lines of Extended JSON, each with its class in '$class', which 'import' reads. Servers can \
                run meanwhile: the file contains the state at one moment. \(PartitionOptions.partition)
                """)

        @OptionGroup var options: PartitionOptions
        @Argument(help: .place) var names: [String]

        func validate() throws { try PartitionOptions.validate(names) }

        func run() throws {
            let (partition, file) = (names.count > 1 ? names[0] : nil, names[names.count - 1])
            let count = try PartitionExport.write(
                data: options.data.place(), app: options.app, partition: partition, to: file)
            print("\(file): \(count) object\(count == 1 ? "" : "s")")
        }
    }
#endif
