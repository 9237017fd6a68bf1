// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore

    /// The documents of an app that a file synchronises, or that a request reads or changes: those of a partition, or
    /// all of an app with flexible sync.
    struct DocumentPlace: Hashable, Sendable {
        let app: ByteText
        /// `nil` for the documents of an app with flexible sync.
        let name: PartitionName?

        /// The name of the place in files and reports.
        var title: String { name?.description ?? DataFolder.flexible }
        var isFlexible: Bool { name == nil }
    }

    extension DocumentPlace {
        /// The place in a data folder.
        ///
        /// - Parameter partition: The partition as its `bind` names it, or a string. `nil` for an app with flexible
        ///   sync.
        /// - Throws: `ServerFailure` if the app synchronises in the other way, or its data is in PostgreSQL.
        init(data: String, app: String, partition: String?) throws {
            try DataFolder.requireLocal(data)
            self.init(app: ByteText(app), name: partition.map { PartitionName(argument: $0) })
            switch try DataFolder.storedMode(app, in: data) {
            case .flexible where !isFlexible:
                throw ServerFailure(description: "The app '\(app)' has flexible sync: omit the partition.")
            case .partition where isFlexible:
                throw ServerFailure(description: "The app '\(app)' has partitions: name one of them.")
            default: break
            }
        }

        /// The error if the folder doesn't contain the place.
        func missing(in data: String) -> ServerFailure {
            let documents = name.map { "partition \($0.description)" } ?? "documents of flexible sync"
            return ServerFailure(description: "The folder '\(data)' has no \(documents) of the app '\(app)'.")
        }
    }
#endif
