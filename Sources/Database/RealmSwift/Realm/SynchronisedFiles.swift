// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The synchronised files that are open in this process: those with open Realms, and those that are still uploading.
enum SynchronisedFiles {
    private struct Entry {
        let file: any FileSynchronisation
        var holds: Int
        /// A file that is being closed can no longer be used, and can't be deleted yet.
        var isClosing = false
    }

    private static let entries = Locked<[String: Entry]>([:])

    /// Keeps a file open. Each coordinator of a synchronised file has one.
    final class Hold: Sendable {
        let file: any FileSynchronisation

        fileprivate init(_ file: any FileSynchronisation) { self.file = file }

        deinit { SynchronisedFiles.release(file) }
    }

    static func hold(_ path: String) -> Hold? {
        let file = entries.withLock { entries -> (any FileSynchronisation)? in
            guard let entry = entries[path], !entry.isClosing else { return nil }
            entries[path]?.holds += 1
            return entry.file
        }
        return file.map(Hold.init)
    }

    static func begin(
        _ database: Database, _ configuration: Realm.Configuration, _ data: any SynchronisedData
    ) -> Hold {
        let file = data.begin(database, configuration)
        entries.withLock { $0[file.path] = Entry(file: file, holds: 1) }
        return Hold(file)
    }

    static var all: [any FileSynchronisation] {
        entries.withLock { $0.values.map(\.file) }.sorted { $0.path < $1.path }
    }

    private static func release(_ file: any FileSynchronisation) {
        let isLast = entries.withLock { entries in
            guard entries[file.path]?.file === file else { return false }
            entries[file.path]?.holds -= 1
            return entries[file.path]?.holds == 0
        }
        if isLast { file.didCloseRealms() }
    }

    /// Closes a file, unless a Realm was opened in the meantime. Called on the file's queue.
    static func remove(_ file: any FileSynchronisation) {
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

    /// Closes the file at a path if it is open only for uploads, which continue when it is opened the next time.
    static func closeUploading(_ path: String) {
        guard let file = entries.withLock({ $0[path]?.file }) else { return }
        file.queue.sync { remove(file) }
    }
}
