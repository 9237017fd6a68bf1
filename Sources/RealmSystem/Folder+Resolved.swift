// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Folder {
    /// An absolute path with the targets of links in their places, also if the last names do not exist yet; empty for
    /// the uppermost folder.
    ///
    /// To find it the system looks at each name of the path. What was found is kept, and holds as long as both paths
    /// lead to the folder that they led to then.
    package static func resolved(_ path: String) -> String {
        guard let folder = FileIdentity(path) else {
            found.lock.locked { found.paths[path] = nil }
            return anew(path)
        }
        let known = found.lock.locked { found.paths[path] }
        if let known, known.folder == folder, known.resolved == path || FileIdentity(known.resolved) == folder {
            return known.resolved
        }
        let resolved = anew(path)
        if FileIdentity(resolved) == folder {
            found.lock.locked {
                if found.paths.count >= mostPaths { found.paths.removeAll() }
                found.paths[path] = (folder, resolved)
            }
        }
        return resolved
    }

    /// Whether there was something at `path` when it was resolved last; false if that is not known.
    package static func wasFound(_ path: String) -> Bool { found.lock.locked { found.paths[path] != nil } }

    private static func anew(_ path: String) -> String {
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
    private static let mostPaths = 64
}
