// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package enum Folder {
    /// Creates the folder. Returns false if it exists.
    @discardableResult
    package static func create(_ path: String, mode: UInt16 = 0o755) throws -> Bool {
        if unsafe mkdir(path, mode_t(mode)) == 0 { return true }
        if errno == EEXIST { return false }
        throw SystemError.last("mkdir", path: path)
    }

    /// Returns the names in the folder that begin with `prefix`. Names that are added or removed meanwhile may be
    /// included or not.
    package static func names(in path: String, prefix: StaticString) throws -> [String] {
        guard let stream = unsafe opendir(path) else { throw SystemError.last("opendir", path: path) }
        defer { unsafe closedir(stream) }
        return unsafe try names(in: stream, prefix: prefix, path: path)
    }

    @unsafe static func names(in stream: DirectoryStream, prefix: StaticString, path: String) throws -> [String] {
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                if errno != 0 { throw SystemError.last("readdir", path: path) }
                return names
            }
            unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 1) { name in
                    let found = prefix.withUTF8Buffer { buffer in
                        unsafe strncmp(
                            name, UnsafeRawPointer(buffer.baseAddress!).assumingMemoryBound(to: CChar.self),
                            buffer.count)
                    }
                    if found == 0 { unsafe names.append(String(cString: name)) }
                }
            }
        }
    }

    /// The path of the folder that contains an absolute path; empty for the root folder.
    package static func containing(_ path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
    }

    package static func lastName(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// Whether anything has this name, including a dangling link.
    package static func holds(_ path: String) -> Bool { FileStatus(path, followingLinks: false) != nil }

    /// A missing file isn't an error.
    package static func removeFile(_ path: String) throws {
        if unsafe unlink(path) == 0 || errno == ENOENT { return }
        throw SystemError.last("unlink", path: path)
    }

    /// Removes the file or folder with its content. Returns whether it existed. Links are removed, and not followed.
    package static func remove(_ path: String) throws -> Bool {
        if unsafe unlink(path) == 0 { return true }
        let error = SystemError.last("unlink", path: path)
        if error.number == ENOENT || error.number == ENOTDIR { return false }
        guard error.number == EISDIR || error.number == EPERM else { throw error }
        for name in try names(in: path, prefix: "") where name != "." && name != ".." {
            _ = try remove(path + "/" + name)
        }
        guard unsafe rmdir(path) == 0 else { throw SystemError.last("rmdir", path: path) }
        return true
    }

    /// Renames the file at `source` to `target`, visible to running processes. A crash may undo it.
    static func rename(_ source: String, to target: String) throws {
        #if canImport(Darwin)
            let result = unsafe Darwin.rename(source, target)
        #elseif canImport(Musl)
            let result = unsafe Musl.rename(source, target)
        #else
            let result = unsafe Glibc.rename(source, target)
        #endif
        guard result == 0 else { throw SystemError.last("rename", path: source) }
    }
}
