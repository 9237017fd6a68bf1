// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmSystem

    /// Requires that no server is running on the folder.
    package struct PartitionMaintenance {
        private let lock: DiskFile
        private let folder: String
        private let name: PartitionName

        /// - Parameters:
        ///   - data: The data folder of a server that isn't running.
        ///   - partition: The partition as its `bind` names it, or a string.
        /// - Throws: `ServerFailure` if a server uses the folder or the partition doesn't exist.
        package init(data: String, app: String, partition: String) throws {
            name = PartitionName(argument: partition)
            folder = try DataFolder.folder(of: name, app: app, in: data, makesParents: false)
            guard Folder.holds(folder) else {
                throw ServerFailure(
                    description: "The folder '\(data)' has no partition \(name.description) of the app '\(app)'.")
            }
            lock = try DataFolder.take(data)
        }

        /// An older server may have acknowledged changes that no client can apply.
        ///
        /// - Throws: `StoreError` if the partition is damaged.
        package func repair() throws -> RepairReport {
            try StoredPartition.repair(folder: folder, partition: name.description)
        }

        /// Erases all objects, as changes made by the server. The classes and the clients' files remain: clients
        /// receive the changes with their next download. Returns the number of objects, excluding embedded ones.
        ///
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

        /// The size in bytes at which a changeset ends, including the instruction that exceeds it.
        private static let partSize = 128 << 10
    }
#endif
