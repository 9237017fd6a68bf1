// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import RealmSyncServer

    struct MigrateCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate", abstract: "Moves an app from partitions to flexible sync, or back.",
            discussion: """
                All objects of the partitions become those of one app with subscriptions. Each has its partition value \
                in a property. Clients with partitions continue with a subscription to their partition. No server may \
                run on the folder or the database meanwhile.
                """)

        @OptionGroup var options: PartitionOptions
        @Option(help: ArgumentHelp("The property with the partition value.", valueName: "name"))
        var field = "_partition"
        @Flag(help: "Moves the objects back to partitions.")
        var revert = false

        func run() throws {
            let migration = try AppMigration(data: options.data.place(), app: options.app)
            let report = try revert ? migration.revert() : migration.migrate(field: field)
            let (partitions, objects) = (report.partitions, report.objects)
            print("\(partitions) partition\(partitions == 1 ? "" : "s"), \(objects) object\(objects == 1 ? "" : "s")")
        }
    }
#endif
