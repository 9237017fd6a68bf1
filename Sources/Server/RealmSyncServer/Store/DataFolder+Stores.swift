// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    extension DataFolder {
        /// A partition or a flexible app in a data folder.
        struct Store {
            let app: String
            let files: PartitionFiles

            var title: String { files.partition }
            /// The name of the partition, or `nil` for a flexible app.
            var name: String? { title.isIdentical(to: DataFolder.flexible) ? nil : title }
        }

        /// Returns the stores that the folder contains, in the order of their folders.
        ///
        /// - Throws: `StoreError` if a file is damaged, `SystemError`.
        static func stores(in path: String) throws -> [Store] {
            var stores: [Store] = []
            try forEachStore(in: path) { stores.append($0) }
            return stores
        }

        private static func forEachStore(in path: String, _ body: (Store) throws -> Void) throws {
            for (app, folder) in try apps(in: path) {
                let partitions = folder + "/partitions"
                let folders = try namesOfFolders(in: partitions).map { partitions + "/" + $0 }
                for folder in ["\(folder)/\(flexible)"] + folders where Folder.holds(folder) {
                    if let files = try PartitionFiles(of: folder) { try body(Store(app: app, files: files)) }
                }
            }
        }

        /// Returns the apps of a data folder with their folders, in the order of these.
        static func apps(in path: String) throws -> [(app: String, folder: String)] {
            // The name of a folder is percent-encoded. No id is so long that a hash replaces it.
            try namesOfFolders(in: path + "/apps").filter { !$0.hasPrefix("%hash") }
                .compactMap { name in percentDecoded(name).map { ($0, "\(path)/apps/\(name)") } }
        }

        private static func namesOfFolders(in path: String) throws -> [String] {
            guard Folder.holds(path) else { return [] }
            let names = try Folder.names(in: path, prefix: "")
            return names.filter { !$0.hasPrefix(".") && !$0.hasSuffix(".new") }.sorted()
        }

        // MARK: Nodes

        /// The file of a folder whose stores are in PostgreSQL. The folder then has only copies of documents.
        private static func nodeMark(in path: String) -> String { path + "/node" }

        /// - Throws: `ServerFailure` with the remedy if the stores of the folder are in PostgreSQL.
        static func requireLocal(
            _ path: String,
            _ remedy: String =
                "name the database with --postgres, use 'realm-server move --to-folder', or name another folder"
        ) throws {
            guard Folder.holds(nodeMark(in: path)) else { return }
            throw ServerFailure(
                description: "'\(path)' is the folder of a server on PostgreSQL, which has the data: \(remedy).")
        }

        /// Prevents a server from starting without the stores of its folder.
        ///
        /// - Throws: `ServerFailure` if the stores are in the folder and not in PostgreSQL, or the other way round.
        func requireMode() throws {
            guard isShared else { return try DataFolder.requireLocal(path) }
            let mark = DataFolder.nodeMark(in: path)
            if Folder.holds(mark) { return }
            try DataFolder.requireEmpty(path)
            try DiskFile.create(mark).sync()
            DiskFile.syncDirectory(of: mark)
        }

        /// - Throws: `ServerFailure` if the folder has stores, which a server or command on PostgreSQL ignores.
        static func requireEmpty(_ path: String) throws {
            if Folder.holds(nodeMark(in: path)) { return }
            try forEachStore(in: path) { store in
                throw ServerFailure(
                    description: """
                        '\(path)' has data that isn't in PostgreSQL: \(store.title) of the app '\(store.app)'. Copy it \
                        with 'realm-server move', and name a new folder for the server.
                        """)
            }
        }
    }
#endif
