// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension Realm.Configuration {
    /// The settings of the file and of its commits. An addition to Realm's API.
    ///
    /// ```swift
    /// configuration.storage.writeTimeout = .seconds(5)
    /// configuration.storage.durability = .survivesPowerFailure
    /// ```
    public struct Storage: Sendable, Hashable {
        /// The guarantee of a commit when it returns.
        public enum Durability: Sendable {
            /// The commit survives a crash of the process or of the system, and the file is intact after a power
            /// failure. On Apple's platforms a power failure may lose the last commits if they are still in the disk's
            /// cache.
            case survivesSystemCrash
            /// The commit also survives a power failure. On Apple's platforms this makes a commit several times slower;
            /// on Linux it is equivalent to `survivesSystemCrash`.
            case survivesPowerFailure
            /// The commit survives a power failure, and Realm's own engine also finds it if that engine opens the file
            /// first. A small commit waits for the disk twice. With the other guarantees, the second wait is left to
            /// the next commit, and until then only this library finds the commit in the file.
            case survivesPowerFailureInEveryEngine
        }

        /// The permissions of a file, as for `chmod`.
        public struct Permissions: OptionSet, Sendable, Hashable {
            /// The bits of the permissions.
            public let rawValue: UInt16

            /// Creates permissions from bits such as `0o660`.
            public init(rawValue: UInt16) { self.rawValue = rawValue }

            /// The owner of the file can read and write it.
            public static let ownerReadWrite = Permissions(rawValue: 0o600)
            /// The users of the file's group can read it.
            public static let groupRead = Permissions(rawValue: 0o040)
            /// The users of the file's group can read and write it.
            public static let groupReadWrite = Permissions(rawValue: 0o060)
            /// All users can read the file.
            public static let otherRead = Permissions(rawValue: 0o004)
            /// All users can read and write the file.
            public static let otherReadWrite = Permissions(rawValue: 0o006)
        }

        /// The guarantee of a commit when it returns. The configuration that first opens the file in the process
        /// determines it.
        public var durability = Durability.survivesSystemCrash

        /// The permissions of a new file. If nil, only its owner has access to a new file; a file created by
        /// `writeCopy` has those of the original.
        ///
        /// The `umask` of the process removes bits from them. The auxiliary files have the same permissions, owner and
        /// group as the file. An existing file keeps its own, even when it is compacted or upgraded. To share a new
        /// file with other users, set `[.ownerReadWrite, .groupReadWrite]`, and a `umask` that allows it.
        public var permissions: Permissions?

        /// The maximum time that a write waits for the write lock of another thread or process; nil, the default, for
        /// no limit.
        ///
        /// After this time, beginning the write fails with `Realm.Error.writeTimeout`, whose message names the writing
        /// process and the start of its write. A wait of more than five seconds is always logged once as a warning. The
        /// limit also applies to an opening that has to write.
        public var writeTimeout: Duration?

        /// A Boolean value that indicates whether opening a synchronised Realm converts it permanently to a local one.
        /// Changes that weren't uploaded stay in the file and are never uploaded.
        ///
        /// If false, opening it throws `Realm.Error.incompatibleHistories`, unless it is opened read-only.
        public var convertsSyncedFile = false

        /// Creates the default settings.
        public init() {}

        /// `writeTimeout` in nanoseconds, at most a billion seconds.
        var writeLimit: Int64? {
            writeTimeout.map { timeout in
                let time = min(max(timeout, .zero), .seconds(1_000_000_000)).components
                return time.seconds * 1_000_000_000 + time.attoseconds / 1_000_000_000
            }
        }

        var newFileMode: UInt16 { permissions?.rawValue ?? FilePermissions.ownerOnly.mode }
    }
}
