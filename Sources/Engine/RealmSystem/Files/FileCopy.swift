// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package enum FileCopy {
    /// Copies `source` to `target` by way of `target` + ".part", durably, with the permissions of `source`.
    ///
    /// A `.part` file of an earlier attempt is overwritten; on an error it is removed.
    package static func make(of source: String, at target: String) throws {
        let part = target + ".part"
        do {
            let from = try DiskFile.open(source, readOnly: true)
            unsafe unlink(part)
            try copy(from, part, FilePermissions(of: try from.status()))
            try DiskFile.rename(part, to: target)
        } catch {
            unsafe unlink(part)
            throw error
        }
    }

    /// Copies `source` to `target`, durably. Returns false if `target` exists. The copy has the permissions of `mode`,
    /// restricted by the process's `umask`.
    ///
    /// A file that is created there meanwhile isn't replaced. A crash leaves a file `target` + ".copy-…", which a later
    /// copy removes once it is an hour old.
    package static func makeNew(of source: String, at target: String, mode: UInt16 = 0o600) throws -> Bool {
        if Folder.holds(target) { return false }
        removeLeftovers(of: target)
        let part = partName(of: target)
        let from = try DiskFile.open(source, readOnly: true)
        try copy(from, part, FilePermissions(mode: mode))
        defer { unsafe unlink(part) }
        return try publish(part, as: target)
    }

    package static func partName(of target: String) -> String {
        // Five characters: a longer name than the file's could be too long.
        target + leftoverInfix + String(UInt32.random(in: 1_679_616..<60_466_176), radix: 36)
    }

    /// Removes the temporary files of `target` that weren't written to for an hour. Returns their paths.
    @discardableResult
    package static func removeLeftovers(of target: String) -> [String] {
        let length = partName(of: target).utf8.count
        let old = ((try? leftovers(of: target)) ?? []).filter {
            // Longer names belong to auxiliary files.
            $0.utf8.count == length && age(of: $0) ?? 0 > 60 * 60
        }
        for leftover in old { try? Folder.removeFile(leftover) }
        return old
    }

    /// Renames the file or folder at `part` to `target`, durably. Returns false if that name is in use.
    package static func publish(_ part: String, as target: String) throws -> Bool {
        // Unlike a rename, a second link never replaces a file.
        if unsafe link(part, target) == 0 {
            unsafe unlink(part)
            DiskFile.syncDirectory(of: target)
            return true
        }
        let error = SystemError.last("link", path: target)
        if error.number == EEXIST { return false }
        guard [EPERM, EACCES, ENOTSUP, EOPNOTSUPP, EMLINK].contains(error.number), !Folder.holds(target) else {
            throw error
        }
        try DiskFile.rename(part, to: target)
        return true
    }

    private static let leftoverInfix = ".copy-"

    package static func leftovers(of target: String) throws -> [String] {
        let slash = target.lastIndex(of: "/")
        let folder = slash.map { String(target[...$0]) } ?? "./"
        let prefix = slash.map { String(target[target.index(after: $0)...]) } ?? target
        return try Folder.names(in: folder, prefix: "").filter { $0.hasPrefix(prefix + leftoverInfix) }
            .map { folder + $0 }
    }

    /// Removes the extra names that an interrupted `makeNew` has given to the file at `target`.
    package static func removeLeftNames(of target: String) {
        guard let status = FileStatus(target), status.linkCount > 1 else { return }
        for leftover in (try? leftovers(of: target)) ?? [] where FileIdentity(leftover) == status.identity {
            try? Folder.removeFile(leftover)
        }
    }

    private static let chunkByteCount = 1 << 20

    private static func copy(_ from: DiskFile, _ part: String, _ permissions: FilePermissions) throws {
        // Created with the final permissions, so that no other user can read it before.
        let into = try DiskFile.create(part, permissions)
        do {
            try copy(from, into)
        } catch {
            unsafe unlink(part)
            throw error
        }
    }

    private static func copy(_ from: DiskFile, _ into: DiskFile) throws {
        let size = try from.size()
        var chunk = [UInt8](repeating: 0, count: min(size, chunkByteCount))
        for start in stride(from: 0, to: size, by: chunkByteCount) {
            let count = min(chunkByteCount, size - start)
            unsafe try chunk.withUnsafeMutableBytes { bytes in
                let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
                unsafe try from.read(into: part, at: start)
                unsafe try into.write(UnsafeRawBufferPointer(part), at: start)
            }
        }
        try into.sync()
    }

    /// Seconds since the file was last modified; nil if it doesn't exist.
    package static func age(of path: String) -> Int? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            return time(nil) - status.st_mtimespec.tv_sec
        #else
            return time(nil) - status.st_mtim.tv_sec
        #endif
    }
}
