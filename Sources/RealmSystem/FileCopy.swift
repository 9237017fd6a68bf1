// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A copy of a whole file as it lies on disk, made so that it appears under its name complete or not at all.
package enum FileCopy {
    /// Copies `source` to `target` by way of `target` + ".part", durably, with the permissions of `source`.
    ///
    /// A `.part` file that an earlier attempt left behind is overwritten; on an error it is removed.
    package static func make(of source: String, at target: String) throws {
        let part = target + ".part"
        do {
            try copy(source, part)
            try DiskFile.rename(part, to: target)
        } catch {
            unsafe unlink(part)
            throw error
        }
    }

    private static let chunkByteCount = 1 << 20

    private static func copy(_ source: String, _ part: String) throws {
        let from = try DiskFile.open(source, readOnly: true)
        // Nobody else may read the copy before it has the permissions of the original.
        unsafe unlink(part)
        let into = try DiskFile.open(part, readOnly: false, creation: .createIfMissing)
        try into.takePermissions(of: from)
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

    /// Seconds since the file was last modified; nil if there is none.
    package static func age(of path: String) -> Int? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            return unsafe time(nil) - status.st_mtimespec.tv_sec
        #else
            return time(nil) - status.st_mtim.tv_sec
        #endif
    }
}
