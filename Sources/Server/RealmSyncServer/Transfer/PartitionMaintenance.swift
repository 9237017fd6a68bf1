// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    /// Requires that no server is running on a folder. Servers can use a database meanwhile.
    package struct PartitionMaintenance {
        private let catalog: any StoreCatalog
        private let place: DocumentPlace

        /// - Parameter partition: The partition as its `bind` names it, or a string. `nil` for an app with flexible
        ///   sync.
        /// - Throws: `ServerFailure` if a server uses the folder or the partition doesn't exist.
        package init(data: ServerData, app: String, partition: String?) throws {
            try self.init(data.catalog(), app: app, partition: partition)
        }

        init(_ catalog: any StoreCatalog, app: String, partition: String?) throws {
            self.catalog = catalog
            place = try catalog.place(app: app, partition: partition)
            guard try catalog.holds(place) else { throw catalog.missing(place) }
            try catalog.lock(.documents)
        }

        /// An older server may have acknowledged changes that no client can apply.
        ///
        /// - Throws: `StoreError` if the partition is damaged.
        package func repair() throws -> RepairReport {
            try catalog.audited(.repair, place.app.string, place.name) {
                try catalog.discardImport(into: place)
                return try catalog.repair(place)
            }
        }

        /// Erases all objects, as changes made by the server. The classes and the clients' files remain: clients
        /// receive the changes with their next download. Returns the number of objects, excluding embedded ones.
        ///
        /// - Throws: `StoreError` if the partition is damaged.
        package func empty() throws -> Int {
            try catalog.audited(.empty, place.app.string, place.name) { try eraseObjects() }
        }

        private func eraseObjects() throws -> Int {
            let partition = try catalog.open(place)
            try catalog.discardImport(into: place)
            try partition.lock()
            let objects = try partition.objects()
            var parts = ChangesetParts(size: PartitionHistory.partSize)
            for object in objects {
                parts.append(.eraseObject(object))
                try partition.appendPart(parts.takeFull())
            }
            try partition.appendPart(parts.changesets)
            try partition.flush()
            partition.documentChanges()
            return objects.count
        }
    }
#endif
