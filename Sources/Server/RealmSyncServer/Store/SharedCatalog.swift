// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// The stores in a database that nodes share.
    final class SharedCatalog: StoreCatalog {
        private let stores: any SharedStores
        /// The folder for copies of documents and temporary files.
        private let folder: String
        /// Whether the folder is removed with the catalog.
        private let isTemporary: Bool
        private var isLocking = false

        /// The names of stores during a move of an app. Those of partitions contain a colon.
        static let (unfinished, retired) = ("flexible.new", "flexible.reverted")

        init(_ stores: any SharedStores, folder: String, isTemporary: Bool = false) {
            (self.stores, self.folder, self.isTemporary) = (stores, folder, isTemporary)
        }

        deinit {
            if isLocking { stores.stop() }
            if isTemporary { _ = try? Folder.remove(folder) }
        }

        var title: String { "The database \(stores.title)" }

        /// Servers can change documents meanwhile, because each change holds the append lock.
        func lock(_ scope: CatalogScope) throws {
            guard !isLocking else { return }
            isLocking = true
            switch scope {
            // Keeps the append locks during long changes.
            case .documents: try stores.follow({ _ in }, { _ in })
            case .stores: try stores.excludeServers()
            }
        }

        // MARK: Stores

        func apps() throws -> [String] { try stores.apps().sorted() }

        func mode(of app: String) throws -> SyncMode? {
            try stores.isFlexible(app: app).map { $0 ? .flexible : .partition }
        }

        func partitions(of app: String) throws -> [PartitionName] {
            let titles = try stores.names(of: app).filter {
                ![SharedCatalog.unfinished, SharedCatalog.retired].contains($0)
            }
            return try titles.sorted().map { title in
                guard let name = PartitionName(title: title) else {
                    throw ServerFailure(
                        description: "\(self.title): '\(title)' of the app '\(app)' isn't a partition value.")
                }
                return name
            }
        }

        func holds(_ place: DocumentPlace) throws -> Bool {
            try stores.holds(app: place.app.string, name: place.name?.description)
        }

        private func frames(_ place: DocumentPlace) throws -> any SharedFrames {
            try stores.frames(app: place.app.string, name: place.name?.description)
        }

        private func title(of place: DocumentPlace) -> String { "\(place.app.string)/\(place.title)" }

        func open(
            _ place: DocumentPlace, _ options: StoredPartition.Options,
            _ feed: (any SharedFrames) throws -> IngestFeed?
        ) throws -> StoredPartition {
            let frames = try frames(place)
            return try StoredPartition(
                folder: try DataFolder.folder(of: place, in: folder, makesParents: true), frames,
                feed: try feed(frames), title: title(of: place), isFlexible: place.isFlexible, options)
        }

        func documents(of place: DocumentPlace, temporary: String) throws -> StoredDocuments? {
            guard try holds(place) else { return nil }
            var changes = DocumentChanges()
            try SharedLog(try frames(place), title: title(of: place)).open { try changes.add($0) }
            return StoredDocuments(copy: nil, changes: changes, location: title(of: place))
        }

        func repair(_ place: DocumentPlace) throws -> RepairReport {
            try StoredPartition.repair(
                SharedLog(try frames(place), title: title(of: place)), nil, folder: folder,
                isFlexible: place.isFlexible)
        }

        func admit(_ definitions: [Instruction], of app: String) throws {
            try SharedSchema.admit(definitions, .shared(stores, app: app))
        }

        func sizes(of app: String) throws -> AppSizes { try stores.sizes(of: app) }

        // MARK: Files

        func contents(of file: CatalogFile) throws -> [UInt8]? { try stores.contents(of: file.path, app: file.app) }

        func write(_ contents: [UInt8]?, to file: CatalogFile) throws {
            try stores.write(contents, to: file.path, app: file.app)
        }

        func auditLog(of app: String) -> AuditLog {
            AuditLog { [stores] in try stores.append($0, to: AuditLog.name, app: app) }
        }

        // MARK: Moves of an app

        func openUnfinished(_ app: String) throws -> StoredPartition {
            try stores.remove(app: app, name: SharedCatalog.unfinished)
            return try StoredPartition(
                folder: folder + "/" + DataFolder.flexible,
                try stores.frames(app: app, name: SharedCatalog.unfinished), title: "\(app)/\(DataFolder.flexible)",
                isFlexible: true, .command)
        }

        func adoptUnfinished(_ app: String, _ moved: MovedApp) throws {
            try stores.rename(
                app: app, SharedCatalog.unfinished, to: nil, with: moved.encoded,
                CatalogFile.migration(of: app).path)
        }

        func retireFlexible(_ app: String, _ moved: MovedApp) throws {
            try stores.remove(app: app, name: SharedCatalog.retired)
            try stores.rename(
                app: app, nil, to: SharedCatalog.retired, with: moved.encoded, CatalogFile.migration(of: app).path)
        }
    }

    extension SharedSchema.Place {
        static func shared(_ stores: any SharedStores, app: String) -> SharedSchema.Place {
            SharedSchema.Place(title: "\(name) of the app '\(app)' in the database \(stores.title)") {
                try stores.contents(of: name, app: app)
            } update: { change in
                try stores.update(name, app: app, change)
            }
        }
    }

    extension CatalogFile {
        /// The path among the files of an app.
        fileprivate var path: String { place.map { "\($0.title)/\(name)" } ?? name }
    }
#endif
