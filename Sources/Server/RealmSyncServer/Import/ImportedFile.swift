// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmSyncCore
    import RealmSystem

    /// A file of documents to import, with the class that its name or its metadata names.
    struct ImportedFile {
        let path: String
        let size: Int
        let isBSON: Bool
        private(set) var className: String?

        /// Returns the files of a path: itself, or the collections in a folder of `mongodump`.
        ///
        /// - Parameter className: The class of all documents; only for one file.
        /// - Throws: `ServerFailure` if there's no file of documents.
        static func files(_ path: String, className: String?) throws -> [ImportedFile] {
            guard FileStatus(path)?.isFolder == true else { return [try ImportedFile(path, className)] }
            guard className == nil else {
                throw ServerFailure(description: "'\(path)' is a folder, whose files name the classes.")
            }
            let names = try Folder.entries(in: path)
            // The collections of the server, such as `system.views`.
            let wanted = names.filter { $0.hasSuffix(".bson") && !$0.hasPrefix("system.") }
            guard !wanted.isEmpty else {
                let zipped = names.contains { $0.hasSuffix(".bson.gz") } ? " Decompress its files with gunzip." : ""
                throw ServerFailure(description: "The folder '\(path)' has no file .bson of mongodump.\(zipped)")
            }
            return try wanted.map { try ImportedFile(path + "/" + $0, nil) }
        }

        private init(_ path: String, _ className: String?) throws {
            let file = try DiskFile.open(path, readOnly: true)
            (self.path, size, isBSON) = (path, try file.size(), path.hasSuffix(".bson"))
            let head = size >= 4 ? try file.bytes(4, at: 0) : []
            if head.starts(with: [0x1F, 0x8B]) {
                throw ServerFailure(description: "'\(path)' is compressed. Decompress it with gunzip.")
            }
            if head == [0x6D, 0xE2, 0x99, 0x81] {
                throw ServerFailure(
                    description: "'\(path)' is an archive. Use mongodump with --out FOLDER instead of --archive.")
            }
            self.className = className
            if className == nil, isBSON { self.className = try ImportedFile.collection(path) }
        }

        /// Returns the name in the metadata of `mongodump`, or that of the file.
        private static func collection(_ path: String) throws -> String {
            let base = String(path.dropLast(".bson".count))
            let metadata = base + ".metadata.json"
            guard let file = try DiskFile.opened(metadata) else {
                let name = Folder.lastName(of: base)
                return percentDecoded(name) ?? name
            }
            guard let json = try? JSON(parsing: try file.contents()), json.members != nil else {
                throw ServerFailure(
                    description: "'\(metadata)' isn't the metadata of mongodump. Name the class with --class.")
            }
            return json["collectionName"]?.text ?? Folder.lastName(of: base)
        }

        func source(offset: Int = 0, number: Int = 0) throws -> any DocumentSource {
            if isBSON { return try BSONSource(path, offset: offset, number: number) }
            return try LineSource(path, offset: offset, number: number)
        }
    }
#endif
