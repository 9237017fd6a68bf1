// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmSystem

    /// Requires that no server is running on the folder.
    package struct PartitionMaintenance {
        private let lock: DiskFile
        private let folder: String
        private let place: DocumentPlace

        /// - Parameters:
        ///   - data: The data folder of a server that isn't running.
        ///   - partition: The partition as its `bind` names it, or a string. `nil` for an app with flexible sync.
        /// - Throws: `ServerFailure` if a server uses the folder or the partition doesn't exist.
        package init(data: String, app: String, partition: String?) throws {
            place = try DocumentPlace(data: data, app: app, partition: partition)
            folder = try DataFolder.folder(of: place, in: data, makesParents: false)
            guard Folder.holds(folder) else { throw place.missing(in: data) }
            lock = try DataFolder.take(data)
        }

        /// An older server may have acknowledged changes that no client can apply.
        ///
        /// - Throws: `StoreError` if the partition is damaged.
        package func repair() throws -> RepairReport {
            try StoredPartition.repair(folder: folder, partition: place.title, isFlexible: place.isFlexible)
        }

        /// Erases all objects, as changes made by the server. The classes and the clients' files remain: clients
        /// receive the changes with their next download. Returns the number of objects, excluding embedded ones.
        ///
        /// - Throws: `StoreError` if the partition is damaged.
        package func empty() throws -> Int {
            let partition = try StoredPartition(
                folder: folder, partition: place.title, isFlexible: place.isFlexible)
            let objects = try partition.objects()
            var writer = RowWriter(columns: [:], partSize: PartitionMaintenance.partSize)
            for object in objects {
                writer.append(.eraseObject(object))
                for changeset in writer.takeFullParts() { try partition.append(changeset) }
            }
            for changeset in writer.changesets(atMost: .max) { try partition.append(changeset) }
            try partition.flush()
            partition.documentChanges()
            return objects.count
        }

        /// The size in bytes at which a changeset ends, including the instruction that exceeds it.
        private static let partSize = 128 << 10
    }
#endif
