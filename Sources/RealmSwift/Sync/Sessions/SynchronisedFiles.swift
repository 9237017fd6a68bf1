// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The synchronised files that are open in this process: those with open Realms, and those that have still to upload.
enum SynchronisedFiles {
    private struct Entry {
        let file: SynchronisedFile
        /// How many openings of Realms there are.
        var holds: Int
        /// Whether it is being closed. It is no file to use any more, and none to delete yet.
        var isClosing = false
    }

    private static let entries = Locked<[String: Entry]>([:])

    /// Keeps a file open. Realms have one.
    final class Hold: Sendable {
        let file: SynchronisedFile

        fileprivate init(_ file: SynchronisedFile) { self.file = file }

        deinit { SynchronisedFiles.release(file) }
    }

    /// The session of the file at a path, if it is open.
    static func hold(_ path: String) -> Hold? {
        let file = entries.withLock { entries -> SynchronisedFile? in
            guard let entry = entries[path], !entry.isClosing else { return nil }
            entries[path]?.holds += 1
            return entry.file
        }
        return file.map(Hold.init)
    }

    /// Begins the session of a file that was just opened.
    static func begin(
        _ database: Database, _ configuration: Realm.Configuration, _ sync: SyncConfiguration
    ) -> Hold {
        let file = SynchronisedFile(database, configuration, sync)
        entries.withLock { $0[file.path] = Entry(file: file, holds: 1) }
        return Hold(file)
    }

    /// The sessions of a user.
    static func all(of user: User) -> [SynchronisedFile] {
        entries.withLock { entries in
            entries.values.map(\.file).filter { $0.sync.user == user && $0.state != .invalid }.sorted {
                $0.path < $1.path
            }
        }
    }

    private static func release(_ file: SynchronisedFile) {
        let isLast = entries.withLock { entries in
            guard entries[file.path]?.file === file else { return false }
            entries[file.path]?.holds -= 1
            return entries[file.path]?.holds == 0
        }
        if isLast { file.didCloseRealms() }
    }

    /// Closes a file, unless a Realm was opened in the meantime. On the queue of its connection.
    static func remove(_ file: SynchronisedFile) {
        let isRemoved = entries.withLock { entries -> Bool in
            guard let entry = entries[file.path], entry.file === file, entry.holds == 0, !entry.isClosing else {
                return false
            }
            entries[file.path]?.isClosing = true
            return true
        }
        guard isRemoved else { return }
        file.close()
        entries.withLock { entries in
            if entries[file.path]?.file === file { entries[file.path] = nil }
        }
    }

    /// Closes the file at a path if it is open for nothing but uploads, which go on when it is opened the next time.
    static func closeUploading(_ path: String) {
        guard let file = entries.withLock({ $0[path]?.file }) else { return }
        file.queue.sync { remove(file) }
    }
}
