// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import RealmSyncServer

    /// `realm-server export`
    struct ExportCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Makes an ordinary .realm file of all objects of a partition.",
            discussion: "The server may run meanwhile: the file holds what the partition was at one moment.")

        @OptionGroup var options: PartitionOptions
        @Argument(help: .partition) var partition: String
        @Argument(help: "The file to make; there must be none.") var file: String

        func run() throws {
            let count = try PartitionExport.write(
                data: options.data, app: options.app, partition: partition, to: file)
            print("\(file): \(count) object\(count == 1 ? "" : "s")")
        }
    }
#endif
