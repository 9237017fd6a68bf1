// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import RealmSyncServer

    struct ImportCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Adds the objects of a file to a partition, or to an app with flexible sync.",
            usage: "realm-server import --data <folder> [--app <id>] [--class <name>] [<partition>] <file>",
            discussion: """
                FILE is a .realm file, or contains a document in canonical Extended JSON in each line. The import is \
                atomic: either all objects are durably imported, or none is. The server must not run meanwhile. \
                \(PartitionOptions.partition)
                """)

        @OptionGroup var options: PartitionOptions
        @Option(
            name: .customLong("class"),
            help: ArgumentHelp(
                """
                The class of all documents. Without it, the member '$class' of each document names its class.
                """, valueName: "name"))
        var className: String?
        @Argument(help: .place) var names: [String]

        func validate() throws { try PartitionOptions.validate(names) }

        func run() throws {
            let (partition, file) = (names.count > 1 ? names[0] : nil, names[names.count - 1])
            let report = try PartitionImport.read(
                file, className: className, data: options.data, app: options.app, partition: partition)
            print("\(file): \(report.objects) object\(report.objects == 1 ? "" : "s")")
            if !report.ignoredFields.isEmpty {
                print(
                    "ignored, since no property has the name: \(report.ignoredFields.joined(separator: ", "))")
            }
        }
    }
#endif
