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
#endif
