// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import RealmSyncServer

    /// `realm-server import`
    struct ImportCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Adds the objects of a file to a partition.",
            discussion: """
                FILE is a .realm file, or has a document in canonical Extended JSON in each line. All of it is durable \
                in the end, or nothing of it is kept. The server must not run meanwhile.
                """)

        @OptionGroup var options: PartitionOptions
        @Option(
            name: .customLong("class"),
            help: ArgumentHelp(
                "The class of all lines; without it each names its own by a member '$class'.", valueName: "name"))
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
