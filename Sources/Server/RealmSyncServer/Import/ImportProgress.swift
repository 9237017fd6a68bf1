// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmSystem

    /// The state of an import after the documents that are durable.
    package struct ImportProgress: Sendable {
        /// Checked documents are imported afterwards.
        package var isChecking: Bool
        package var documents: Int
        /// The bytes of the files before the next document, and of all files.
        package var bytes: Int
        package var totalBytes: Int
    }

    /// The point at which an interrupted import continues, in a file of the store.
    ///
    /// It's written after the documents before it are durable. So a crash between both imports documents again, which
    /// then exist unchanged.
    struct ImportCursor: Codable, Equatable {
        struct File: Codable, Equatable {
            let path: String
            let size: Int
            /// In nanoseconds since 1970.
            let modified: Int64
        }

        let files: [File]
        let className: String?
        /// The index of the file with the next document.
        var index = 0
        var offset = 0
        var number = 0
        var documents = 0

        init(_ files: [ImportedFile], className: String?) throws {
            self.className = className
            self.files = try files.map { file in
                let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
                let time = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
                return File(path: Folder.absolute(file.path), size: file.size, modified: Int64(time * 1e9))
            }
        }

        /// Returns the cursor of a store if it's that of the same files.
        func stored(in catalog: any StoreCatalog, _ place: DocumentPlace) throws -> ImportCursor? {
            guard let bytes = try catalog.contents(of: .importCursor(of: place)),
                let found = try? AdminJSON.decoded(ImportCursor.self, bytes), found.files == files,
                found.className == className, files.indices.contains(found.index), found.offset >= 0,
                found.offset <= files[found.index].size
            else { return nil }
            return found
        }

        func write(in catalog: any StoreCatalog, _ place: DocumentPlace) throws {
            try catalog.write(try AdminJSON.encoded(self), to: .importCursor(of: place))
        }
    }
#endif
