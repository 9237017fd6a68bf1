// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

extension Realm.ChangeFeed {
    /// A position between two changes of a database, at which a feed of this process or of a later one can begin. It
    /// can be stored and decoded. An addition to Realm's API.
    ///
    /// A token doesn't pin its version. The version can be found again while it is the newest one of the file, or while
    /// a process has it pinned, for example by `Realm.snapshot(label:)`. Thus a program that stores the token after
    /// each change continues after a restart if nothing was committed in the meantime. Otherwise creating the feed
    /// throws `Realm.Error.versionNotFound`: read all objects again, and begin a feed without a token.
    ///
    /// A token is valid for its file, not for a copy, a restored backup, or the file after its compaction. That of a
    /// database in memory is valid while the database exists.
    public struct ResumeToken: Sendable, Hashable, Codable {
        /// The number of the version.
        public let version: UInt64
        private let topRef: UInt64
        private let byteCount: UInt64
        private let file: UInt64

        init(_ version: Snapshot) {
            let mark = version.mark
            (self.version, file) = (mark.record.version, mark.file)
            (topRef, byteCount) = (UInt64(mark.record.topRef), UInt64(mark.record.logicalSize))
        }

        /// Doesn't match any version if the token was decoded from invalid numbers.
        var mark: VersionMark {
            VersionMark(
                VersionRecord(
                    version: version, topRef: Ref(truncatingIfNeeded: topRef),
                    logicalSize: Int(truncatingIfNeeded: byteCount)),
                file: file)
        }
    }
}

extension Realm.Changes {
    /// The position after these changes. Store it once they are processed, to continue there with a new feed.
    public var resumeToken: Realm.ChangeFeed.ResumeToken { Realm.ChangeFeed.ResumeToken(versions.history.new) }
}

extension Realm.Error {
    init(versionNotFound version: UInt64, at path: String) {
        self.init(
            .versionNotFound,
            """
            Failed to resume at version \(version) of the Realm file\(path.isEmpty ? "" : " at path '\(path)'"): the \
            file no longer has this version, because its space may have been reused. Read all objects again, and begin \
            a feed without a token.
            """, fileURL: path.isEmpty ? nil : URL(fileURLWithPath: path))
    }
}
