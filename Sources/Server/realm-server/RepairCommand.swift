// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import RealmSyncServer

    struct RepairCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "repair", abstract: "Removes changes that clients cannot apply.",
            discussion: """
                Older servers acknowledged changes that exceed the limits of a client's file. Each removed change is \
                listed. Afterwards all clients reset their files, keeping their own changes. No server may run on \
                the folder meanwhile; servers on PostgreSQL load the partition again. \(PartitionOptions.partition)
                """)

        @OptionGroup var options: PartitionOptions
        @Argument(help: .partition) var partition: String?

        func run() throws {
            let report = try PartitionMaintenance(
                data: options.data.place(), app: options.app, partition: partition
            ).repair()
            for line in report.lines { print(line) }
            if report.count > report.lines.count { print("and \(report.count - report.lines.count) more") }
            print("\(report.count) change\(report.count == 1 ? "" : "s") removed")
        }
    }

    struct EmptyCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "empty",
            abstract: "Erases all objects of a partition, or of an app with flexible sync. The classes remain.",
            discussion: """
                Clients receive the changes with their next download. No server may run on the folder meanwhile; \
                servers on PostgreSQL can. \(PartitionOptions.partition)
                """)

        @OptionGroup var options: PartitionOptions
        @Argument(help: .partition) var partition: String?

        func run() throws {
            let count = try PartitionMaintenance(
                data: options.data.place(), app: options.app, partition: partition
            ).empty()
            print("\(count) object\(count == 1 ? "" : "s") erased")
        }
    }
#endif
