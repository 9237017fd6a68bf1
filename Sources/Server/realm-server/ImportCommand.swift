// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import RealmSyncServer

    struct ImportCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Adds the objects of a file to a partition.",
            discussion: """
                FILE is a .realm file, or contains a document in canonical Extended JSON in each line. The import is \
                atomic: either all objects are durably imported, or none is. The server must not run meanwhile.
                """)

        @OptionGroup var options: PartitionOptions
        @Option(
            name: .customLong("class"),
            help: ArgumentHelp(
                """
                The class of all documents. Without it, the member '$class' of each document names its class.
                """, valueName: "name"))
        var className: String?
        @Argument(help: .partition) var partition: String
        @Argument(help: "The file to read.") var file: String

        func run() throws {
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
