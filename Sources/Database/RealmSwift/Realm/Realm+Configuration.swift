// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCrypto
import RealmSystem

extension Realm {
    /// How to open a Realm: which file, which classes, which version of the schema.
    public struct Configuration: Sendable, Equatable, CustomStringConvertible {
        private static let standard = Locked<Configuration?>(nil)

        /// What `Realm()` opens. Process-wide; a change affects Realms opened afterwards. Usable from any thread.
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

        /// Names a database that is never stored: its data live while one of its Realms is open in the process. Setting
        /// it clears `fileURL` and `syncConfiguration`.
        public var inMemoryIdentifier: String? {
            get { memoryIdentifier }
            set {
                if newValue == "" { throwRealmException("In-memory identifier must not be empty") }
                memoryIdentifier = newValue
                if newValue != nil { (path, synchronisedData) = (nil, nil) }
            }
        }

        /// Which data of a server the file holds; nil for a local Realm.
        var synchronisedData: (any SynchronisedData)? {
            didSet {
                verifyKeptIfSynchronised()
                guard let synchronisedData else { return }
                memoryIdentifier = nil
                if path == nil { path = synchronisedData.defaultPath }
            }
        }

        var isSynchronised: Bool { synchronisedData != nil }

        /// The key of 64 bytes that the file is encrypted with; nil for a file that is not encrypted. A file opened
        /// with another key than it was made with is refused with `.invalidDatabase`, as is an encrypted one without.
        ///
        /// The first half is the key of AES-256, the second authenticates; losing it loses the data. Of a Realm in
        /// memory it encrypts the unnamed temporary file that holds the data. While the environment variable
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

        /// Opens the file without changing it. The file must exist.
        ///
        /// Of a synchronised Realm it means that the program changes nothing: writes are refused, nothing is uploaded,
        /// and no table or column is made for a model. What others write is downloaded into the file, which therefore
        /// has to be writable; the Realm follows it and tells of changes, and `Realm.asyncOpen` makes a file that does
        /// not exist yet. What follows is about local Realms.
        ///
        /// The Realm shows the newest version there is when it is opened, and goes on showing it, whole, while other
        /// processes write: it does not refresh itself and tells of no changes. After `invalidate()`, and when the
        /// Realm is opened anew, it shows what is the newest version then. Like every Realm it uses the lock file and
        /// the folder `.management` beside the file, and makes them if they are missing; a file that another library
        /// has open is refused.
        ///
        /// Where these cannot be made or opened, on a read-only volume for instance, the Realm opens without them and
        /// says so in the log, once. Then no process may write to the file as long as it is open: what it reads may be
        /// overwritten. When it is to read another version, or meets damage, and the file has been written to
        /// since it was opened, it reports `Realm.Error.fileAccess`, and has to be opened anew.
        public var readOnly: Bool = false

        /// The permissions of the file if it is made, as `chmod` has them; nil for `0o600`, with which only the file's
        /// owner may use it, and for those of the original where the file is made by `writeCopy`.
        ///
        /// The process's `umask` takes away from them. What lies beside the file has the same permissions, owner and
        /// group as the file; a file that exists keeps its own, also when it is compacted or upgraded. To share a new
        /// file with other users, set `0o660` or `0o666`, and a `umask` that leaves it so. An addition to Realm's API.
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

        /// What brings the objects of a file of a lower `schemaVersion` in line with the models; run once, when the
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
        /// Without a block, columns come and go by themselves, with the zero value of their type.
        @preconcurrency public var migrationBlock: MigrationBlock?

        /// Told how far `Migration.enumerateObjects` has come, and the upgrade of a file from before format 10, which
        /// writes all objects anew. An addition to Realm's API.
        public var migrationProgress: (@Sendable (MigrationProgress) -> Void)?

        /// Empties the file when it would need a migration, instead of migrating it: for caches, and while developing.
        ///
        /// The old data go in the same write transaction that installs the new schema, and the file is compacted after
        /// that. Cannot be combined with `readOnly`, nor with `syncConfiguration`.
        public var deleteRealmIfMigrationNeeded: Bool = false {
            didSet { verifyKeptIfSynchronised() }
        }

        /// Whether classes that derive from `AsymmetricObject` may be used: their objects are kept in the file, where
        /// nothing shows them, until they can be sent. Otherwise such classes are refused, and those of the default
        /// schema left out. An addition to Realm's API.
        public var keepsAsymmetricObjects: Bool = false

        /// Asked when the file is opened for the first time in the process: whether it shall be compacted before it is
        /// used. The arguments are the size of the file and the bytes of it that are in use. Not asked for databases in
        /// memory. When the file is open elsewhere, or when the compaction fails, if the disk is full for instance, the
        /// file is used as it is. Cannot be combined with `readOnly`.
        @preconcurrency public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?

        /// Leaves a file of an older format as it is: opening it throws `Realm.Error.fileFormatUpgradeRequired`.
        ///
        /// Otherwise such a file is upgraded when it is opened, after a copy was made beside it
        /// (`name.v22.backup.realm` for a file of format 22), which is removed after three months. Read-only, older
        /// files open as they are.
        public var disableFormatUpgrade: Bool = false

        /// Makes a synchronised Realm a local one when it is opened, for good: what was not uploaded is kept in the
        /// file and never uploaded.
        ///
        /// Otherwise opening it throws `Realm.Error.incompatibleHistories`, unless it is opened read-only. This is an
        /// addition to Realm's API.
        public var convertsSyncedFile: Bool = false

        /// How many versions of the file may be in use at once, in all processes, the newest one included; nil or 0 for
        /// any number. A frozen object or a Realm that does not advance keeps its version, and the file grows with each
        /// further one. Beginning a write with more versions than this traps.
        public var maximumNumberOfActiveVersions: UInt?

        /// How many seconds a write waits for the write lock while another thread or process has it; nil, the default,
        /// for ever.
        ///
        /// Then beginning the write fails with `Realm.Error.writeTimeout`, whose text names the process that writes and
        /// since when it does. A wait of more than five seconds is logged as a warning in any case, once. An opening
        /// that has to write waits as long. An addition to Realm's API.
        public var writeTimeout: TimeInterval?

        /// How safe a commit is when it returns.
        public enum Durability: Sendable {
            /// It survives any crash of the process or of the system, and the file is whole after any power failure. On
            /// Apple's platforms a power failure may take the last commits, which the disk had only in its memory.
            case ordered
            /// It survives a power failure too. On Apple's platforms a commit takes several times as long; on Linux
            /// every commit is as safe as that.
            case full
            /// As `full`, and the original's engine finds it too if it opens the file first after a power failure. A
            /// small commit then waits for the disk twice: without this, the second wait is left to the next commit,
            /// and only this library finds such a commit in the file.
            case interchangeable
        }

        /// How safe a commit is when it returns: of the configuration with which the file is opened first in the
        /// process. An addition to Realm's API.
        public var durability = Durability.ordered

        /// The classes to store; nil for all of the process.
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

        /// Whether Swift's Observation sees what is read of live objects and collections: `withObservationTracking`
        /// calls its `onChange` when a property, a collection or a query that was read within it gives something else,
        /// after a write here, elsewhere or in another process.
        ///
        /// ```swift
        /// withObservationTracking { label.text = dog.name } onChange: { … }
        /// ```
        ///
        /// `onChange` is called once, where the Realm is confined, and the Realm shows the new state by then: after a
        /// write, not within it. A query counts as changed when its elements come, go or move, an aggregate of one also
        /// when they change.
        ///
        /// A tracked read takes a few nanoseconds longer even while nothing is observed. So by default, where programs
        /// can be asked (on Linux), it is true only in those that use Observation anywhere; on Apple's platforms it is
        /// always. An addition to Realm's API.
        public var tracksReads = ReadTracker.isWanted

        /// What reading a deleted object does.
        public enum InvalidatedAccess: Sendable {
            /// The read gives the type's empty value, and is logged once for each class and property.
            case emptyValue
            /// The read traps with the original's text.
            case trap
        }

        /// What reading a deleted object does. Writing to one always traps.
        public var invalidatedAccess = InvalidatedAccess.emptyValue

        /// How the file's tables are brought in line with the models.
        public enum SchemaMode: Sendable {
            /// As Realm does it: whole classes and indexes come by themselves; a property that is added, removed or
            /// changed needs a greater `schemaVersion`, with which the file is made to match the models.
            case automatic
            /// For files that other programs use too: what the models add appears in the file, and what they lack
            /// stays there untouched. The schema version is never lowered. A property of another type is an error.
            case additive
        }

        /// How the file's tables are brought in line with the models. `.additive` is an addition to Realm's API.
        public var schemaMode = SchemaMode.automatic

        /// A Realm to begin with: when there is no file at `fileURL`, this one is copied there before it is opened. It
        /// may be of an older format, and must have the same key. Setting it clears `inMemoryIdentifier`.
        public var seedFilePath: URL? {
            get { seed }
            set {
                seed = newValue
                if newValue != nil { memoryIdentifier = nil }
            }
        }

        /// How the file's tables are brought in line: those of a synchronised file belong to other clients as well.
        var effectiveSchemaMode: SchemaMode { isSynchronised ? .additive : schemaMode }

        /// Whether the Realm shows one version for good: read-only, and without a session that writes to the file.
        package var isImmutable: Bool { readOnly && !isSynchronised }

        /// Whether the file has to be there when the Realm is opened.
        var needsFile: Bool { readOnly && !isDownloading }

        /// Whether what the server has is waited for, which makes the file of a read-only Realm.
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

        /// Makes a configuration of a file with the defaults of all else.
        init(at fileURL: URL?) { self.fileURL = fileURL }

        /// `default.realm` in the folder for this program's data: on Linux in `$XDG_DATA_HOME` (or `~/.local/share`),
        /// on a Mac in Application Support, both in a folder of the program's name; in Caches on an Apple TV, and in
        /// Documents on other Apple devices. The folder is made when the file is.
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

        /// The same as `url.path`, which takes ten times as long for what almost every URL of a file is: its path, as
        /// it stands.
        private static func path(of url: URL) -> String {
            let scheme = "file://"
            let text = url.absoluteString
            let end = text.utf8.dropFirst(scheme.utf8.count)
            guard url.baseURL == nil, text.hasPrefix(scheme), end.first == UInt8(ascii: "/"), end.count > 1,
                end.last != UInt8(ascii: "/"), !end.contains(where: isSpecial)
            else { return url.path }
            return String(Substring(end))
        }

        /// Whether the byte of a URL stands for another one, or ends the path.
        private static func isSpecial(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "%") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "?")
                || byte == UInt8(ascii: "#")
        }

        private static func isObjectClass(_ type: ObjectBase.Type) -> Bool {
            type is Object.Type || type is EmbeddedObject.Type || type is AsymmetricObject.Type
        }

        var newFileMode: UInt16 { filePermissions ?? FilePermissions.ownerOnly.mode }

        /// The database as messages name it.
        var place: String { path.map { "'\($0)'" } ?? "in-memory Realm '\(memoryIdentifier ?? "")'" }

        /// Whether both open the same database in the same way; compares location, key, read-only flag, schema
        /// version, and the user and the partition of synchronised ones.
        public static func == (a: Configuration, b: Configuration) -> Bool {
            a.path == b.path && a.memoryIdentifier == b.memoryIdentifier && a.key == b.key
                && a.readOnly == b.readOnly && a.schemaVersion == b.schemaVersion && a.hasSameSync(as: b)
        }

        public var description: String {
            let lines = [
                "fileURL = \(fileURL?.absoluteString ?? "(null)")",
                "inMemoryIdentifier = \(inMemoryIdentifier ?? "(null)")",
                // Whether there is a key, and not which: descriptions end up in logs.
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

        /// What the file is encrypted with. Throws where the system has no library of ciphers.
        func cipher() throws -> RealmPageCipher? {
            guard let key, !CurrentProcess.hasVariable("REALM_DISABLE_ENCRYPTION") else { return nil }
            do {
                return try RealmPageCipher(key: Array(key))
            } catch {
                throw Realm.Error(.fail, "Failed to open Realm at path \(place): \(error.reason)", fileURL: fileURL)
            }
        }

        /// The classes that this configuration asks for.
        var schema: Schema {
            if let classes { return Schema(objectTypes: classes) }
            let schema = Schema.defaultSchema()
            return keepsAsymmetricObjects ? schema : schema.withoutAsymmetricClasses
        }

        /// What names the database among those open in the process.
        var registryName: String {
            let path = Folder.followed(Configuration.standardized(sharedPath))
            return Folder.resolved(Folder.containing(path)) + "/" + Folder.lastName(of: path)
        }

        /// An absolute path without `.` and `..`. To make one out of any other takes longer than all else that is done
        /// to find a database that is open.
        private static func standardized(_ path: String) -> String {
            isStandard(path) ? path : URL(fileURLWithPath: path).standardizedFileURL.path
        }

        private static func isStandard(_ path: String) -> Bool {
            guard path.utf8.first == UInt8(ascii: "/") else { return false }
            // Of the name that is being read. One of no more than two dots, and nothing else, is none.
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

        /// The path of the file. A database in memory has the one where the original keeps its temporary files, so that
        /// it and a file there cannot be taken for one another.
        private var sharedPath: String {
            if let memoryIdentifier { return NSTemporaryDirectory() + "/" + memoryIdentifier }
            guard let path else {
                throwRealmException("A Realm Configuration must specify a path or an in-memory identifier.")
            }
            return path
        }

        /// Traps if a synchronised Realm is to be deleted for a migration, which it never needs.
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

        /// Traps if `other` contradicts this configuration, with which the Realm is open in the same place (realm 1).
        /// The instance is then the one that is open, whatever version and classes `other` has.
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

        /// Throws if a synchronised Realm is open with other permissions: the parts of a program that share what is
        /// synchronised need not know of each other.
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
