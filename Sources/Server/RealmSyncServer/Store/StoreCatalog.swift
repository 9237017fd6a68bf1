// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore

    /// The stores of a server, partitions and flexible apps, in a data folder or in a database that nodes share.
    /// Servers and commands open them through it.
    ///
    /// Used by one thread at a time. Its functions throw `StoreError`, `SystemError`, or the error of the database.
    protocol StoreCatalog: AnyObject {
        /// The place of the stores, for errors.
        var title: String { get }

        /// Prevents others from changing the stores, until the catalog is deallocated.
        ///
        /// - Throws: `ServerFailure` if another server or command prevents it.
        func lock(_ scope: CatalogScope) throws

        // MARK: Stores

        /// Returns the ids of the apps that clients have used, sorted.
        func apps() throws -> [String]

        /// Returns `nil` if the app was never used.
        func mode(of app: String) throws -> SyncMode?

        /// Returns the partitions of an app, ordered by their titles.
        ///
        /// - Throws: `ServerFailure` if the name of one isn't a partition value.
        func partitions(of app: String) throws -> [PartitionName]

        func holds(_ place: DocumentPlace) throws -> Bool

        /// Opens a store, which is created if it doesn't exist.
        ///
        /// - Parameter feed: Returns the feed of the ingested objects of a shared store, or `nil` for a new one.
        func open(
            _ place: DocumentPlace, _ options: StoredPartition.Options,
            _ feed: (any SharedFrames) throws -> IngestFeed?
        ) throws -> StoredPartition

        /// Returns the documents of a store that servers can use meanwhile, or `nil` if it doesn't exist.
        ///
        /// - Parameter temporary: A folder for data that doesn't fit into memory.
        func documents(of place: DocumentPlace, temporary: String) throws -> StoredDocuments?

        /// Removes the changes that no client can apply.
        func repair(_ place: DocumentPlace) throws -> RepairReport

        /// Adds the classes and properties of an import to the schema that an app has learned.
        ///
        /// - Throws: `ServerFailure` if the schema has other definitions.
        func admit(_ definitions: [Instruction], of app: String) throws

        /// Returns the sizes of an app's stores.
        func sizes(of app: String) throws -> AppSizes

        // MARK: Files

        /// Returns `nil` if the file doesn't exist.
        func contents(of file: CatalogFile) throws -> [UInt8]?

        /// Replaces or, without contents, removes a file. The change is durable.
        func write(_ contents: [UInt8]?, to file: CatalogFile) throws

        /// Returns the log of the commands on an app. `lock` must precede its use.
        func auditLog(of app: String) -> AuditLog

        // MARK: Moves of an app

        /// Opens an empty store, which becomes that of the flexible app with `adoptUnfinished`.
        func openUnfinished(_ app: String) throws -> StoredPartition

        /// Makes the unfinished store that of the app. A crash before the last step leaves the app as it was.
        func adoptUnfinished(_ app: String, _ moved: MovedApp) throws

        /// Renames the store of a flexible app, which has its partitions again. As `adoptUnfinished`.
        func retireFlexible(_ app: String, _ moved: MovedApp) throws
    }

    /// The changes of a command, which exclude those of others.
    enum CatalogScope {
        /// Changes of the documents of stores.
        case documents
        /// Changes of the list of stores.
        case stores
    }

    /// A small file that belongs to an app or one of its stores, and that all nodes share.
    struct CatalogFile {
        let app: String
        /// `nil` for a file of the app.
        let place: DocumentPlace?
        let name: String

        /// The record of a move between partitions and flexible sync.
        static func migration(of app: String) -> CatalogFile {
            CatalogFile(app: app, place: nil, name: "migration.json")
        }

        /// The schema that an app in development mode has learned.
        static func schema(of app: String) -> CatalogFile { CatalogFile(app: app, place: nil, name: "schema.json") }

        /// The cursor of an import that wasn't finished.
        static func importCursor(of place: DocumentPlace) -> CatalogFile {
            CatalogFile(app: place.app.string, place: place, name: importCursorName)
        }

        static let importCursorName = "import.json"
    }

    /// The documents of a store at one version.
    struct StoredDocuments {
        /// A temporary copy of the documents at an earlier version, or `nil` if there's none.
        let copy: Database?
        let changes: DocumentChanges
        /// The location for errors.
        let location: String
    }

    extension StoredPartition.Options {
        /// The options of a command, which expires no files: their time is a setting of servers.
        static var command: StoredPartition.Options {
            var options = StoredPartition.Options()
            options.clientExpiry = 1 << 40
            return options
        }
    }

    extension StoreCatalog {
        /// Opens a store for a command.
        func open(_ place: DocumentPlace) throws -> StoredPartition {
            try open(place, StoredPartition.Options.command) { _ in nil }
        }

        /// Makes an interrupted import begin again when it's repeated. Must precede a command that removes objects,
        /// because the import would leave out those that it has imported.
        func discardImport(into place: DocumentPlace) throws { try write(nil, to: .importCursor(of: place)) }

        /// Returns `nil` if the app was never moved between partitions and flexible sync.
        ///
        /// - Throws: `StoreError` if the record is damaged.
        func movedApp(_ app: String) throws -> MovedApp? {
            try contents(of: .migration(of: app)).map { try MovedApp($0, title: "\(title), app '\(app)'") }
        }

        /// Returns the place of a partition, or of the documents of a flexible app.
        ///
        /// - Parameter partition: The partition as its `bind` names it, or a string. `nil` for a flexible app.
        /// - Throws: `ServerFailure` if the app synchronises in the other way.
        func place(app: String, partition: String?) throws -> DocumentPlace {
            let place = DocumentPlace(app: ByteText(app), name: partition.map { PartitionName(argument: $0) })
            switch try mode(of: app) {
            case .flexible where !place.isFlexible:
                throw ServerFailure(description: "The app '\(app)' has flexible sync: omit the partition.")
            case .partition where place.isFlexible:
                throw ServerFailure(description: "The app '\(app)' has partitions: name one of them.")
            default: return place
            }
        }

        /// The error if a place doesn't exist.
        func missing(_ place: DocumentPlace) -> ServerFailure {
            let documents = place.name.map { "partition \($0.description)" } ?? "documents of flexible sync"
            return ServerFailure(description: "\(title) has no \(documents) of the app '\(place.app.string)'.")
        }
    }
#endif
