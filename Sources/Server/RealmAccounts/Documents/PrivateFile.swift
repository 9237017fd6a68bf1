// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSystem

    package enum PrivateFile {
        /// Creates a file that only its owner can read, atomically even if the process crashes. A file that another
        /// process has created meanwhile is unchanged.
        ///
        /// - Throws: `SystemError`.
        package static func make(at path: String, _ bytes: [UInt8]) throws {
            let temporary = path + ".new-" + RandomText.identity(at: 0)
            defer { try? Folder.removeFile(temporary) }
            let file = try DiskFile.create(temporary)
            try bytes.withUnsafeBytes { try file.write($0, at: 0) }
            _ = try FileCopy.makeNew(of: temporary, at: path)
        }
    }
#endif
