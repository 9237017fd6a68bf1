// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

enum LockFile {
    /// The size of the guard block: at least a page, so that realm-core doesn't report an architecture mismatch.
    static let guardByteCount = 4096
    static let layoutVersionOffset = 6
    static let magicOffset = 64
    /// The end of the guard, after the magic and the number of the process that wrote it.
    private static let guardEnd = 88
    /// Exceeds our blocks, and the relevant part of realm-core's.
    private static let maxByteCount = 1 << 16

    static func path(of database: String) -> String { database + ".lock" }

    /// Opens the lock file of a database. With `mode`, creates a missing one with the permissions of the database, or
    /// with `mode` if that is missing too. A link isn't followed.
    static func open(forDatabase database: String, mode: UInt16? = nil) throws -> Int32 {
        let path = path(of: database)
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        while true {
            let descriptor = DiskFile.openDescriptor(path, flags)
            if descriptor != -1 { return descriptor }
            let error = refusal(SystemError.last("open", path: path))
            guard error.number == ENOENT, let mode else { throw error }
            let permissions = FilePermissions(ofFileAt: database, else: FilePermissions(mode: mode))
            let made = DiskFile.openDescriptor(path, flags | O_CREAT | O_EXCL, mode: mode_t(permissions.mode))
            guard made != -1 else {
                if errno == EEXIST { continue }
                throw SystemError.last("open", path: path)
            }
            try permissions.apply(to: made, path: path)
            return made
        }
    }

    private static func refusal(_ error: SystemError) -> SystemError {
        guard error.number == ELOOP || error.number == ENXIO,
            let status = FileStatus(error.path, followingLinks: false), !status.isRegular
        else { return error }
        return SystemError(
            error.call, path: error.path, number: ENXIO,
            reason: "there is \(status.kind) in the place of the lock file; remove it")
    }

    /// Throws unless the file is empty, or left by a session of realm-core or this library. The caller has exclusive
    /// access.
    static func verifyReplaceable(_ descriptor: Int32, _ path: String) throws {
        guard let status = FileStatus(descriptor: descriptor) else { throw SystemError.last("fstat", path: path) }
        if status.isRegular {
            let size = lseek(descriptor, 0, SEEK_END)
            guard size != -1 else { throw SystemError.last("lseek", path: path) }
            if size == 0 { return }
            var bytes = [UInt8](repeating: 0, count: min(Int(size), maxByteCount))
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress!, $0.count, 0) }
            guard count != -1 else { throw SystemError.last("pread", path: path) }
            if count == bytes.count, isOurs(bytes, Int(size)) || isRealmCores(bytes, Int(size)) { return }
        }
        throw SystemError(
            "open", path: path, number: EEXIST,
            reason: "it is neither empty nor the lock file of a Realm, and is left as it is; move it away")
    }

    /// Whether the file is empty or contains only a guard block, complete or not.
    private static func isOurs(_ bytes: [UInt8], _ size: Int) -> Bool {
        size == bytes.count && bytes[0] <= 1
            && bytes.indices.allSatisfy { index in
                bytes[index] == 0 || index == 0 || index == layoutVersionOffset || index == layoutVersionOffset + 1
                    || (magicOffset..<guardEnd).contains(index)
            }
    }

    /// Whether it may be a shared block of realm-core (container 8.4), of any layout.
    private static func isRealmCores(_ bytes: [UInt8], _ size: Int) -> Bool {
        let (smallest, largest) = (48, 1 << 24)
        guard size >= smallest, size <= largest else { return false }
        let layout = Int(bytes[layoutVersionOffset]) | Int(bytes[layoutVersionOffset + 1]) << 8
        let durability = Int(bytes[8]) | Int(bytes[9]) << 8
        return bytes[0] <= 1 && bytes[1] <= 128 && bytes[2] <= 128 && bytes[3] <= 1 && bytes[4] <= 64
            && (1...255).contains(layout) && durability <= 2
    }
}
