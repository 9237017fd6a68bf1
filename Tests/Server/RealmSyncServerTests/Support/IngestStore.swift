// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport

    @testable import RealmSyncServer

    /// The kinds of stores with ingested objects.
    enum IngestStoreKind: Sendable, CaseIterable {
        case files
        case memory
        #if PostgreSQL
            case postgres
        #endif

        /// `nil` for files, which belong to one server.
        var shared: SharedStoresKind? {
            switch self {
            case .files: nil
            case .memory: .memory
            #if PostgreSQL
                case .postgres: .postgres
            #endif
            }
        }
    }

    /// A store of a test, whose clients can ingest objects.
    struct IngestStore {
        let folder: TemporaryFolder
        let shared: TestStores?

        /// Returns `nil` if PostgreSQL is absent.
        init?(_ kind: IngestStoreKind) throws {
            folder = try TemporaryFolder()
            shared = try kind.shared.flatMap { try TestStores($0) }
            if kind.shared != nil, shared == nil { return nil }
        }

        /// Opens the store at a node. Files have one node.
        func open(
            node: Int = 0, _ change: (inout StoredPartition.Options) -> Void = { _ in }
        ) throws -> StoredPartition {
            var options = StoredPartition.Options()
            options.ingests = true
            change(&options)
            guard let shared else {
                return try StoredPartition(folder: folder.path + "/files", partition: "string:p", options)
            }
            return try StoredPartition(
                folder: "\(folder.path)/\(node)", try shared.node().frames(app: "app", name: "\"p\""), title: "app/p",
                isFlexible: false, options)
        }
    }

    extension StoredPartition {
        /// Returns a new client file.
        func lockedFile() throws -> UInt64 {
            try lock()
            defer { try? flush(compacts: false) }
            return try addFile().ident
        }

        /// Integrates changes, and makes them durable.
        func upload(_ changes: [UploadedChange], from file: UInt64) throws {
            try lock()
            try integrate(changes, from: file)
            try flush()
        }
    }
#endif
