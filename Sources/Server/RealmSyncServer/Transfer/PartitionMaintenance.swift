// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmSystem

    /// Changes of a partition while no server runs on its folder: `realm-server repair` and `realm-server empty`.
    package struct PartitionMaintenance {
        private let lock: DiskFile
        private let folder: String
        private let name: PartitionName

        /// - Parameters:
        ///   - data: the folder of a server that does not run.
        ///   - partition: the partition as its `bind` names it, or a string as it is.
        /// - Throws: `ServerFailure` if a server has the folder, or there is no such partition.
        package init(data: String, app: String, partition: String) throws {
            name = PartitionName(argument: partition)
            folder = try DataFolder.folder(of: name, app: app, in: data, makesParents: false)
            guard Folder.holds(folder) else {
                throw ServerFailure(
                    description: "The folder '\(data)' has no partition \(name.description) of the app '\(app)'.")
            }
            lock = try DataFolder.take(data)
        }

        /// Removes the changes that no client can apply. An older server may have acknowledged some.
        ///
        /// - Throws: `StoreError` if the partition is damaged.
        package func repair() throws -> RepairReport {
            try StoredPartition.repair(folder: folder, partition: name.description)
        }

        /// Erases all objects, as changes of the server's own. The classes stay, and so do the clients' files: they get
        /// the changes with their next download.
        ///
        /// - Returns: the number of objects, embedded ones apart.
        /// - Throws: `StoreError` if the partition is damaged.
        package func empty() throws -> Int {
            let partition = try StoredPartition(folder: folder, partition: name.description)
            let objects = partition.objects
            var writer = RowWriter(columns: [:], partSize: PartitionMaintenance.partSize)
            for object in objects {
                writer.append(.eraseObject(object))
                for changeset in writer.takeFullParts() { try partition.append(changeset) }
            }
            for changeset in writer.changesets(atMost: .max) { try partition.append(changeset) }
            try partition.flush()
            return objects.count
        }

        /// A changeset ends with the instruction that crosses this.
        private static let partSize = 128 << 10
    }
#endif
