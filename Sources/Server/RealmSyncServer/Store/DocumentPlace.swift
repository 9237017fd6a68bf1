// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage

    /// The partition of an app whose documents a request reads or changes.
    struct DocumentPlace: Hashable, Sendable {
        let app: ByteText
        let partition: PartitionName
    }
#endif
