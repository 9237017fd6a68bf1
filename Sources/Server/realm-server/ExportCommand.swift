// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import RealmSyncServer

    struct ExportCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Writes all objects of a partition to a .realm file.",
            discussion: "The server can run meanwhile: the file contains the state of the partition at one moment.")

        @OptionGroup var options: PartitionOptions
        @Argument(help: .partition) var partition: String
        @Argument(help: "The new file, which must not exist.") var file: String

        func run() throws {
            let count = try PartitionExport.write(
                data: options.data, app: options.app, partition: partition, to: file)
            print("\(file): \(count) object\(count == 1 ? "" : "s")")
        }
    }
#endif
