// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCrypto
import RealmSystem

extension Realm {
    /// The settings used to open a Realm, such as its file, classes, and schema version.
    public struct Configuration: Sendable, Equatable, CustomStringConvertible {
        private static let standard = Locked<Configuration?>(nil)

        /// The configuration that `Realm()` opens. Process-wide; a change affects Realms opened afterwards. Usable from
        /// any thread.
        public static var defaultConfiguration: Configuration {
            get { standard.withLock { $0 } ?? Configuration() }
            set { standard.withLock { $0 = newValue } }
        }

        /// The database file. Setting it clears `inMemoryIdentifier`.
        public var fileURL: URL? {
            get { path.map { URL(fileURLWithPath: $0) } }
            set {
                path = newValue.map(Configuration.path)
                if path == "" { throwRealmException("Realm path must not be empty") }
                if newValue != nil { memoryIdentifier = nil }
            }
        }

        /// The name of a database in memory. Its data exist while one of its Realms is open in the process. Setting it
        /// clears `fileURL` and `syncConfiguration`.
        public var inMemoryIdentifier: String? {
            get { memoryIdentifier }
            set {
                if newValue == "" { throwRealmException("In-memory identifier must not be empty") }
                memoryIdentifier = newValue
                if newValue != nil { (path, synchronisedData) = (nil, nil) }
            }
        }

        /// The server data that the file holds; nil for a local Realm.
        var synchronisedData: (any SynchronisedData)? {
            didSet {
                verifyKeptIfSynchronised()
                guard let synchronisedData else { return }
                memoryIdentifier = nil
                if path == nil { path = synchronisedData.defaultPath }
            }
        }

        var isSynchronised: Bool { synchronisedData != nil }

        /// The key of 64 bytes that encrypts the file; nil for an unencrypted file. Opening a file with another key
        /// than it was created with throws `.invalidDatabase`, as does opening an encrypted one without a key.
        ///
        /// The first half is the key of AES-256, the second authenticates; losing the key loses the data. For a Realm
        /// in memory, the key encrypts the unnamed temporary file that holds the data. While the environment variable
        /// `REALM_DISABLE_ENCRYPTION` is set, keys are ignored.
        public var encryptionKey: Data? {
            get { key }
            set {
                if let newValue, newValue.count != RealmPageCipher.keyByteCount {
                    throwRealmException("Encryption key must be exactly 64 bytes long")
                }
                key = newValue
            }
        }

        /// A Boolean value that indicates whether the file is opened without changing it. The file must exist.
        ///
        /// A read-only synchronised Realm can't be changed by the program: writes are rejected, nothing is uploaded,
        /// and no table or column is created for a model. Changes of other clients are downloaded into the file, which
        /// therefore has to be writable. The Realm follows them and sends notifications, and `Realm.asyncOpen` creates
        /// a file that doesn't exist yet. The following paragraphs apply to local Realms.
        ///
        /// The Realm shows the version that is newest when it is opened. It continues to show that version, whole,
        /// while other processes write: it doesn't refresh itself and sends no notifications. After `invalidate()`, and
        /// when the Realm is reopened, it shows the version that is newest then. Like every Realm it uses the lock file
        /// and the folder `.management` next to the file, and creates them if they are missing. It throws if another
        /// library has the file open.
        ///
        /// If these can't be created or opened, for example on a read-only volume, the Realm opens without them and
        /// logs that once. Then no process may write to the file while it is open, because the data being read could be
        /// overwritten. If the file has been written to since it was opened, reading another version, or encountering
        /// damage, fails with `Realm.Error.fileAccess`, and the Realm has to be reopened.
        public var readOnly: Bool = false

        /// The permissions of a file that is created, as for `chmod`. If nil, `0o600`, which allows only the file's
        /// owner to use it; a file created by `writeCopy` then has the permissions of the original.
        ///
        /// The process's `umask` removes bits from them. The auxiliary files have the same permissions, owner and group
        /// as the file. An existing file keeps its own, also when it is compacted or upgraded. To share a new file with
        /// other users, set `0o660` or `0o666`, and a `umask` that allows it. An addition to Realm's API.
        public var filePermissions: UInt16?

        /// The version of the models. When it is greater than the file's, tables and columns are adapted to the models;
        /// it must never decrease.
        public var schemaVersion: UInt64 = 0 {
            didSet {
                if schemaVersion == .max {
                    throwRealmException("Cannot set schema version to \(UInt64.max) (RLMNotVersioned)")
                }
            }
        }

        /// The block that adapts the objects of a file of a lower `schemaVersion` to the models. It runs once, when the
        /// file is opened, in the write transaction that changes its schema. Ignored for a read-only Realm.
        ///
        /// ```swift
        /// configuration.schemaVersion = 2
        /// configuration.migrationBlock = { migration, oldVersion in
        ///     migration.enumerateObjects(ofType: "Person") { old, new in
        ///         new!["fullName"] = "\(old!["firstName"]!) \(old!["lastName"]!)"
        ///     }
        /// }
        /// ```
        ///
        /// Without a block, columns are added and removed automatically; new ones have the zero value of their type.
        @preconcurrency public var migrationBlock: MigrationBlock?

        /// Called with the progress of `Migration.enumerateObjects`, and of the upgrade of a file from before format
        /// 10, which rewrites all objects. An addition to Realm's API.
        public var migrationProgress: (@Sendable (MigrationProgress) -> Void)?

        /// A Boolean value that indicates whether a file that needs a migration is emptied instead: for caches, and
        /// during development.
        ///
        /// The old data are deleted in the same write transaction that installs the new schema, and the file is
        /// compacted after that. Can't be combined with `readOnly` or `syncConfiguration`.
        public var deleteRealmIfMigrationNeeded: Bool = false {
            didSet { verifyKeptIfSynchronised() }
        }

        /// A Boolean value that indicates whether classes derived from `AsymmetricObject` are allowed. Their objects
        /// are stored in the file, hidden, until they can be uploaded. Otherwise such classes are rejected, and those
        /// of the default schema are left out. An addition to Realm's API.
        public var keepsAsymmetricObjects: Bool = false

        /// Called when the file is opened for the first time in the process. If it returns true, the file is compacted
        /// before it is used. The arguments are the size of the file and the number of its bytes in use. Not called for
        /// databases in memory. If the file is open elsewhere, or if the compaction fails, for example because the disk
        /// is full, the file is used as it is. Can't be combined with `readOnly`.
        @preconcurrency public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?

        /// A Boolean value that indicates whether a file of an older format is left as it is: opening it throws
        /// `Realm.Error.fileFormatUpgradeRequired`.
        ///
        /// Otherwise such a file is upgraded when it is opened, after it is copied to a backup (`name.v22.backup.realm`
        /// for a file of format 22), which is removed after three months. Read-only, older files open as they are.
        public var disableFormatUpgrade: Bool = false

        /// A Boolean value that indicates whether a synchronised Realm is permanently converted to a local one when it
        /// is opened. Changes that weren't uploaded stay in the file and are never uploaded.
        ///
        /// Otherwise opening it throws `Realm.Error.incompatibleHistories`, unless it is opened read-only. An addition
        /// to Realm's API.
        public var convertsSyncedFile: Bool = false

        /// The maximum number of versions of the file in use at once, in all processes, the newest one included; nil or
        /// 0 for any number. A frozen object, or a Realm that doesn't advance, retains its version, and the file grows
        /// with each further one. Beginning a write with more versions than this traps.
        public var maximumNumberOfActiveVersions: UInt?

        /// The time in seconds that a write waits while another thread or process has the write lock; nil, the default,
        /// for no limit.
        ///
        /// After that time, beginning the write fails with `Realm.Error.writeTimeout`, whose text names the writing
        /// process and the start of its write. A wait of more than five seconds is logged once as a warning in any
        /// case. An opening that has to write waits as long. An addition to Realm's API.
        public var writeTimeout: TimeInterval?

        /// The guarantee of a commit when it returns.
        public enum Durability: Sendable {
            /// The commit survives any crash of the process or of the system, and the file is intact after any power
            /// failure. On Apple's platforms a power failure may lose the last commits if the disk only had them in its
            /// memory.
            case ordered
            /// The commit survives a power failure too. On Apple's platforms a commit takes several times as long; on
            /// Linux every commit is as safe as that.
            case full
            /// Like `full`, and the original's engine also finds the commit if it opens the file first after a power
            /// failure. A small commit then waits for the disk twice. Otherwise the second wait is left to the next
            /// commit, and only this library finds such a commit in the file.
            case interchangeable
        }

        /// The guarantee of a commit when it returns. The configuration that first opens the file in the
        /// process determines it. An addition to Realm's API.
        public var durability = Durability.ordered

        /// The classes to store; nil for all classes of the process.
        public var objectTypes: [ObjectBase.Type]? {
            get { classes }
            set {
                for type in newValue ?? [] where !Configuration.isObjectClass(type) {
                    let name = _typeName(type, qualified: false)
                    throwRealmException("Can't add non-Object type '\(name)' to a schema.")
                }
                classes = newValue
            }
        }

        /// A Boolean value that indicates whether Swift's Observation tracks reads of live objects and collections.
        /// `withObservationTracking` calls its `onChange` when a property, a collection or a query that was read within
        /// it changes, after a write here, elsewhere or in another process.
        ///
        /// ```swift
        /// withObservationTracking { label.text = dog.name } onChange: { … }
        /// ```
        ///
        /// `onChange` is called once, where the Realm is confined, after the write, when the Realm shows the new state.
        /// A query counts as changed when its elements are inserted, deleted or moved; an aggregate of one also when
        /// they are modified.
        ///
        /// A tracked read takes a few nanoseconds longer even while nothing is observed. On Linux, where the use of
        /// Observation can be detected, the default is therefore true only in programs that use it; on Apple's
        /// platforms the default is true. An addition to Realm's API.
        public var tracksReads = ReadTracker.isWanted

        /// The behavior when a property of a deleted object is read.
        public enum InvalidatedAccess: Sendable {
            /// The read returns the type's empty value, and is logged once for each class and property.
            case emptyValue
            /// The read traps with the original's text.
            case trap
        }

        /// The behavior when a property of a deleted object is read. Writing to one always traps.
        public var invalidatedAccess = InvalidatedAccess.emptyValue

        /// The rules for adapting the file's tables to the models.
        public enum SchemaMode: Sendable {
            /// Realm's rules: whole classes and indexes are added automatically. A property that is added, removed or
            /// changed needs a greater `schemaVersion`, with which the file is migrated to match the models.
            case automatic
            /// For files that other programs use too: additions of the models are added to the file, and tables and
            /// columns that the models lack stay unchanged. The schema version is never lowered. A property of another
            /// type is an error.
            case additive
        }

        /// The rules for adapting the file's tables to the models. `.additive` is an addition to Realm's API.
        public var schemaMode = SchemaMode.automatic

        /// A Realm to start from: if there isn't a file at `fileURL`, this one is copied there before it is opened. It
        /// may be of an older format, and must have the same key. Setting it clears `inMemoryIdentifier`.
        public var seedFilePath: URL? {
            get { seed }
            set {
                seed = newValue
                if newValue != nil { memoryIdentifier = nil }
            }
        }

        /// The rules in effect: other clients also use the tables of a synchronised file.
        var effectiveSchemaMode: SchemaMode { isSynchronised ? .additive : schemaMode }

        /// Whether the Realm never leaves its version: read-only, and without a session that writes to the file.
        package var isImmutable: Bool { readOnly && !isSynchronised }

        /// Whether the file must exist when the Realm is opened.
        var needsFile: Bool { readOnly && !isDownloading }

        /// Whether opening waits for a download, which creates the file of a read-only Realm.
        private var isDownloading = false

        /// This configuration, to be opened for a download.
        var downloading: Configuration {
            var configuration = self
            configuration.isDownloading = isSynchronised
            return configuration
        }

        /// `writeTimeout` in nanoseconds.
        var writeLimit: Int64? {
            writeTimeout.map { Int64(min(max($0, 0), 1_000_000_000) * 1_000_000_000) }
        }

        private var key: Data?
        private var seed: URL?
        private(set) var path: String?
        private var memoryIdentifier: String?
        private var classes: [ObjectBase.Type]?

        /// Creates a configuration of a file, with the defaults of all other settings.
        init(at fileURL: URL?) { self.fileURL = fileURL }

        /// `default.realm` in the folder for this program's data: on Linux in `$XDG_DATA_HOME` (or `~/.local/share`),
        /// on a Mac in Application Support, both in a folder of the program's name; in Caches on an Apple TV, and in
        /// Documents on other Apple devices. The folder is created with the file.
        public static var defaultFileURL: URL {
            #if os(macOS)
                let base = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
                let directory = (base ?? URL(fileURLWithPath: NSHomeDirectory()))
                    .appendingPathComponent(Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)
            #elseif canImport(Darwin)
                #if os(tvOS)
                    let kind = FileManager.SearchPathDirectory.cachesDirectory
                #else
                    let kind = FileManager.SearchPathDirectory.documentDirectory
                #endif
                let base = FileManager.default.urls(for: kind, in: .userDomainMask).first
                let directory = base ?? URL(fileURLWithPath: NSHomeDirectory())
            #else
                let environment = ProcessInfo.processInfo.environment
                let base = environment["XDG_DATA_HOME"] ?? NSHomeDirectory() + "/.local/share"
                let directory = URL(fileURLWithPath: base)
                    .appendingPathComponent(ProcessInfo.processInfo.processName)
            #endif
            return directory.appendingPathComponent("default.realm")
        }

        /// Returns `url.path`, ten times as fast for almost every file URL: its path, unescaped.
        private static func path(of url: URL) -> String {
            let scheme = "file://"
            let text = url.absoluteString
            let end = text.utf8.dropFirst(scheme.utf8.count)
            guard url.baseURL == nil, text.hasPrefix(scheme), end.first == UInt8(ascii: "/"), end.count > 1,
                end.last != UInt8(ascii: "/"), !end.contains(where: isSpecial)
            else { return url.path }
            return String(Substring(end))
        }

        /// Whether the byte of a URL begins an escape, or ends the path.
        private static func isSpecial(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "%") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "?")
                || byte == UInt8(ascii: "#")
        }

        private static func isObjectClass(_ type: ObjectBase.Type) -> Bool {
            type is Object.Type || type is EmbeddedObject.Type || type is AsymmetricObject.Type
        }

        var newFileMode: UInt16 { filePermissions ?? FilePermissions.ownerOnly.mode }

        /// The database's name in messages.
        var place: String { path.map { "'\($0)'" } ?? "in-memory Realm '\(memoryIdentifier ?? "")'" }

        /// Returns whether both open the same database with the same settings. Compares location, key, read-only flag,
        /// schema version, and the user and the partition of synchronised ones.
        public static func == (a: Configuration, b: Configuration) -> Bool {
            a.path == b.path && a.memoryIdentifier == b.memoryIdentifier && a.key == b.key
                && a.readOnly == b.readOnly && a.schemaVersion == b.schemaVersion && a.hasSameSync(as: b)
        }

        public var description: String {
            let lines = [
                "fileURL = \(fileURL?.absoluteString ?? "(null)")",
                "inMemoryIdentifier = \(inMemoryIdentifier ?? "(null)")",
                // Shows whether there is a key, but not the key: descriptions are logged.
                "encryptionKey = \(key == nil ? "(null)" : "(64 bytes)")", "readOnly = \(readOnly ? "YES" : "NO")",
                "schemaVersion = \(schemaVersion)",
                "migrationBlock = \(migrationBlock == nil ? "(null)" : "(Function)")",
                "deleteRealmIfMigrationNeeded = \(deleteRealmIfMigrationNeeded ? "YES" : "NO")",
                "shouldCompactOnLaunch = \(shouldCompactOnLaunch == nil ? "(null)" : "(Function)")",
                "dynamic = NO",
                "customSchema = \(classes == nil ? "(null)" : "\(schema)")",
            ]
            return "Realm.Configuration {\n" + lines.map { "\t\($0);\n" }.joined() + "}"
        }

        /// The cipher of the file. Throws if the system has no cipher library.
        func cipher() throws -> RealmPageCipher? {
            guard let key, !CurrentProcess.hasVariable("REALM_DISABLE_ENCRYPTION") else { return nil }
            do {
                return try RealmPageCipher(key: Array(key))
            } catch {
                throw Realm.Error(.fail, "Failed to open Realm at path \(place): \(error.reason)", fileURL: fileURL)
            }
        }

        var schema: Schema {
            if let classes { return Schema(objectTypes: classes) }
            let schema = Schema.defaultSchema()
            return keepsAsymmetricObjects ? schema : schema.withoutAsymmetricClasses
        }

        /// The name of the database among those open in the process.
        var registryName: String {
            let path = Folder.followed(Configuration.standardized(sharedPath))
            return Folder.resolved(Folder.containing(path)) + "/" + Folder.lastName(of: path)
        }

        /// Returns an absolute path without `.` and `..`. Standardising any other path takes longer than all other
        /// steps of finding an open database.
        private static func standardized(_ path: String) -> String {
            isStandard(path) ? path : URL(fileURLWithPath: path).standardizedFileURL.path
        }

        private static func isStandard(_ path: String) -> Bool {
            guard path.utf8.first == UInt8(ascii: "/") else { return false }
            // The length and the dots of the current name. A name that consists of one or two dots isn't a file name.
            var (length, dots) = (0, 0)
            for byte in path.utf8.dropFirst() {
                if byte == UInt8(ascii: "/") {
                    if length == dots, dots <= 2 { return false }
                    (length, dots) = (0, 0)
                } else {
                    length += 1
                    if byte == UInt8(ascii: ".") { dots += 1 }
                }
            }
            return length != dots || dots > 2
        }

        /// The path of the file. A database in memory has a path in the original's folder for temporary files, so that
        /// it can't be confused with a file there.
        private var sharedPath: String {
            if let memoryIdentifier { return NSTemporaryDirectory() + "/" + memoryIdentifier }
            guard let path else {
                throwRealmException("A Realm Configuration must specify a path or an in-memory identifier.")
            }
            return path
        }

        /// Traps if a synchronised Realm would be deleted for a migration, which it never needs.
        func verifyKeptIfSynchronised() {
            if deleteRealmIfMigrationNeeded, isSynchronised {
                throwRealmException(
                    "Cannot set 'deleteRealmIfMigrationNeeded' when sync is enabled ('syncConfig' is set).")
            }
        }

        /// Traps if settings contradict each other (realm 2).
        func verifyConsistent() {
            if readOnly, deleteRealmIfMigrationNeeded {
                throwRealmException("Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.")
            }
            if readOnly, shouldCompactOnLaunch != nil {
                throwRealmException("Cannot set `shouldCompactOnLaunch` when `readOnly` is set.")
            }
        }

        /// Traps if `other` contradicts this configuration, with which the Realm is open at the same confinement (realm
        /// 1). The open instance is then used, with any version and classes of `other`.
        func verifyCompatible(onSameThread other: Configuration) throws {
            try verifySamePermissions(other)
            if let difference = difference(from: other) { throwAlreadyOpened(difference) }
        }

        private func hasSameSync(as other: Configuration) -> Bool {
            switch (synchronisedData, other.synchronisedData) {
            case (nil, nil): true
            case (let own?, let other?): own.isSameData(as: other)
            default: false
            }
        }

        /// Whether `other` names the same classes in the same order.
        func hasSameTypes(as other: Configuration) -> Bool {
            switch (objectTypes, other.objectTypes) {
            case (nil, nil): true
            case (let own?, let other?): own.elementsEqual(other) { $0 == $1 }
            default: false
            }
        }

        /// Traps if `other` contradicts this configuration, with which the Realm is open somewhere in the process.
        func verifyCompatible(acrossThreads other: Configuration) throws {
            try verifySamePermissions(other)
            if let difference = difference(from: other) { throwAlreadyOpened(difference + ".") }
            if schemaMode != other.schemaMode { throwAlreadyOpened("a different schema mode.") }
            if schemaVersion != other.schemaVersion { throwAlreadyOpened("different schema version.") }
        }

        /// Throws if a synchronised Realm is open with other permissions. This isn't a programmer error: independent
        /// parts of a program may share a synchronised Realm.
        private func verifySamePermissions(_ other: Configuration) throws {
            guard readOnly != other.readOnly, isSynchronised, hasSameSync(as: other) else { return }
            throw Realm.Error(.fail, alreadyOpened("different read permissions"), fileURL: other.fileURL)
        }

        private func difference(from other: Configuration) -> String? {
            if readOnly != other.readOnly { return "different read permissions" }
            if (memoryIdentifier == nil) != (other.memoryIdentifier == nil) { return "different inMemory settings" }
            if key != other.key { return "different encryption key" }
            return hasSameSync(as: other) ? nil : "different sync configurations"
        }

        private func throwAlreadyOpened(_ difference: String) -> Never {
            throwRealmException(alreadyOpened(difference))
        }

        private func alreadyOpened(_ difference: String) -> String {
            "Realm at path '\(sharedPath)' already opened with \(difference)"
        }
    }
}
