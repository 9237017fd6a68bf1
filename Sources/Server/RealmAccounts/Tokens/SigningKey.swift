// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSystem

    /// The key that signs the tokens of a server, or of all servers of a database.
    package struct SigningKey: Sendable {
        let bytes: [UInt8]
        static let byteCount = 32

        init(bytes: [UInt8]) { self.bytes = bytes }

        /// Creates the file if it doesn't exist, atomically even if the process crashes. If multiple processes create
        /// it, all use the same one.
        ///
        /// - Throws: `ConfigurationError` if others can read the file or it isn't a key; `SystemError`.
        init(at path: String) throws {
            if let status = FileStatus(path) {
                guard FilePermissions(of: status).mode & 0o077 == 0 else {
                    throw ConfigurationError("'\(path)' may be read by others than its owner: chmod 600 it")
                }
            } else {
                try PrivateFile.make(at: path, RandomText.bytes(SigningKey.byteCount))
            }
            let file = try DiskFile.open(path, readOnly: true)
            guard try file.size() == SigningKey.byteCount else {
                throw ConfigurationError("'\(path)' isn't a key of \(SigningKey.byteCount) bytes")
            }
            bytes = try file.bytes(SigningKey.byteCount, at: 0)
        }
    }
#endif
