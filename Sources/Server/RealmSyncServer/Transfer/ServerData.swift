// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmSystem
    #if PostgreSQL
        import RealmPostgres
    #endif

    /// The place of a server's data, on which a command works.
    package enum ServerData: Sendable {
        /// A data folder.
        case folder(String)
        /// The address of a database of PostgreSQL.
        case postgres(String)

        /// - Throws: `ServerFailure` if the data of a folder is in PostgreSQL, or the program was built without it; the
        ///   error of the database.
        func catalog() throws -> any StoreCatalog {
            switch self {
            case .folder(let path):
                try DataFolder.requireLocal(path)
                return FolderCatalog(path)
            case .postgres(let url):
                #if PostgreSQL
                    let stores = try PostgresStores(try PostgresSettings(url))
                    let folder = FileManager.default.temporaryDirectory.path + "/realm-server-" + UUID().uuidString
                    try Folder.create(folder, mode: 0o700)
                    return SharedCatalog(stores, folder: folder, isTemporary: true)
                #else
                    throw ServerFailure.withoutPostgres
                #endif
            }
        }

        /// Checks that a folder isn't one whose data would be ignored.
        ///
        /// - Throws: `ServerFailure` if the folder has partitions or apps.
        package static func requireNode(_ folder: String) throws { try DataFolder.requireEmpty(folder) }
    }
#endif
