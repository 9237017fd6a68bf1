// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A copy of a file, made before its upgrade (container 8.1, 10.3).
///
/// The file is copied byte for byte: an encrypted file's copy is encrypted with the same key. Copies are never restored
/// automatically, because a file of a newer format may contain data that its old copy lacks.
package enum UpgradeBackup {
    /// `a/x.v22.backup.realm` for `a/x.realm`.
    package static func path(for path: String, format: UInt8) -> String {
        base(of: path) + suffix(of: format)
    }

    private static func base(of path: String) -> String {
        path.hasSuffix(".realm") ? String(path.dropLast("realm".count)) : path + "."
    }

    private static func suffix(of format: UInt8) -> String { "v\(format).backup.realm" }

    /// Creates the copy unless it exists. Calls `warn`, and doesn't prevent the upgrade, if the copy fails or the
    /// volume has less than twice the file's size free (container 10.3, step 2).
    static func make(of path: String, era: LegacyFormat, _ warn: ((String) -> Void)?) {
        let target = self.path(for: path, format: era.format)
        guard !Folder.holds(target) else { return }
        do {
            let file = try DiskFile.open(path, readOnly: true)
            let (wanted, free) = (2 * (try file.size()), try file.freeByteCount())
            if free >= wanted { return try FileCopy.make(of: path, at: target) }
            warn?(
                "'\(path)' is upgraded from format \(era.format) without the copy '\(target)': for that the volume "
                    + "should have \(wanted) bytes free, and \(wanted - free) are missing.")
        } catch {
            warn?("'\(path)' is upgraded from format \(era.format), but the copy '\(target)' failed: \(error)")
        }
    }

    /// In seconds, from the last modification.
    private static let lifetime = 93 * 24 * 60 * 60

    /// Checks at the first opening, and then once a day (container 8.1).
    static func removeExpired(for path: String) {
        guard looks.begin(path) else { return }
        let base = base(of: path)
        for format in LegacyFormat.upgradable {
            let copy = base + suffix(of: format)
            if let age = FileCopy.age(of: copy), age > lifetime { try? Folder.removeFile(copy) }
        }
    }

    /// The times of this process's last checks, by path. Guarded by `lock`.
    private final class Looks: @unchecked Sendable {
        private let lock = Lock()
        private var times: [ByteText: Int64] = [:]

        func begin(_ path: String) -> Bool {
            let path = ByteText(path)
            let now = CurrentProcess.time
            return lock.locked {
                if let last = times[path], last <= now, CurrentProcess.nanoseconds(from: last, to: now) < Looks.pause {
                    return false
                }
                if times.count >= Looks.maxPaths { times.removeAll() }
                times[path] = now
                return true
            }
        }

        private static let pause: Int64 = 24 * 60 * 60 * 1_000_000_000
        private static let maxPaths = 64
    }

    private static let looks = Looks()
}
