// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Folder {
    /// Returns an absolute path with all links resolved, even if the last names don't exist yet; empty for the root
    /// folder.
    ///
    /// The system resolves each name of the path. The result is cached, and is valid as long as both paths lead to the
    /// same folder as before.
    package static func resolved(_ path: String) -> String {
        guard let folder = FileIdentity(path) else {
            found.lock.locked { found.paths[path] = nil }
            return resolve(path)
        }
        let known = found.lock.locked { found.paths[path] }
        if let known, known.folder == folder, known.resolved == path || FileIdentity(known.resolved) == folder {
            return known.resolved
        }
        let resolved = resolve(path)
        if FileIdentity(resolved) == folder {
            found.lock.locked {
                if found.paths.count >= maxPaths { found.paths.removeAll() }
                found.paths[path] = (folder, resolved)
            }
        }
        return resolved
    }

    /// Returns the target of `path` if it is a symbolic link or a chain of them. The target needn't exist. Only the
    /// last name is resolved. An endless chain is returned unchanged, because opening it fails.
    package static func followed(_ path: String) -> String {
        var followed = path
        for _ in 0..<longestChain {
            guard let target = linkTarget(followed) else { return followed }
            let start = target.utf8.first == UInt8(ascii: "/") ? nil : followed.utf8.lastIndex(of: UInt8(ascii: "/"))
            followed = (start.map { followed[...$0] } ?? "") + target
        }
        return path
    }

    /// Returns the absolute form of the path, which stays valid when the process changes its folder.
    package static func absolute(_ path: String) -> String {
        guard !path.isEmpty, path.utf8.first != UInt8(ascii: "/"), let here = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(here) }
        return unsafe String(cString: here) + "/" + path
    }

    /// The number of links that Linux follows.
    private static let longestChain = 40

    private static func linkTarget(_ path: String) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = unsafe readlink(path, start, buffer.count - 1)
            guard count > 0 else { return nil }
            unsafe buffer[count] = 0
            return unsafe String(validatingCString: start)
        }
    }

    /// Whether `path` existed when it was resolved last; false if that's unknown.
    package static func wasFound(_ path: String) -> Bool { found.lock.locked { found.paths[path] != nil } }

    private static func resolve(_ path: String) -> String {
        if path.isEmpty { return "" }
        guard let found = unsafe realpath(path, nil) else {
            return resolved(containing(path)) + "/" + lastName(of: path)
        }
        defer { unsafe free(found) }
        let resolved = unsafe String(cString: found)
        return resolved == "/" ? "" : resolved
    }

    /// `paths` is guarded by `lock`.
    private final class Found: @unchecked Sendable {
        let lock = Lock()
        var paths: [String: (folder: FileIdentity, resolved: String)] = [:]
    }

    private static let found = Found()
    private static let maxPaths = 64
}
