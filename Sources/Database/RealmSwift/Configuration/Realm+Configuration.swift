// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCrypto
import RealmRuntime
import RealmSystem

extension Realm {
    /// The settings used to open a Realm, such as its file, classes, and schema version.
    public struct Configuration: Sendable, Equatable, CustomStringConvertible {
        private static let standard = Locked<Configuration?>(nil)

        /// The configuration that `Realm()` opens in this process. A change affects Realms opened afterwards. It can be
        /// used from any thread.
        public static var defaultConfiguration: Configuration {
            get { standard.withLock { $0 } ?? Configuration() }
            set { standard.withLock { $0 = newValue } }
        }

        /// The URL of the database file. Setting it clears `inMemoryIdentifier`. Setting a URL with an empty path
        /// traps.
        public var fileURL: URL? {
            get { path.map { URL(fileURLWithPath: $0) } }
            set {
                path = newValue.map(Configuration.path)
                if path == "" { throwRealmException("Realm path must not be empty") }
                if newValue != nil { memoryIdentifier = nil }
            }
        }

        /// The name of an in-memory database. Its data exist while one of its Realms is open in the process. Setting it
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
        var isFlexible: Bool { synchronisedData?.isFlexible ?? false }
        /// Whether asymmetric classes are allowed.
        var hasAsymmetricClasses: Bool { schemaRules.keepsAsymmetricObjects || isFlexible }

        /// The 64-byte key that encrypts the file; nil for an unencrypted file. Opening a file that was created with a
        /// different key, or without one, throws `.invalidDatabase`.
        ///
        /// The first half is the AES-256 key, the second half the authentication key. If you lose the key, the data is
        /// lost. For an in-memory Realm, the key encrypts the unnamed temporary file that holds the data. If the
        /// environment variable `REALM_DISABLE_ENCRYPTION` is set, keys are ignored.
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
        /// must therefore be writable. The Realm advances to them and sends notifications, and `Realm.asyncOpen`
        /// creates the file if it doesn't exist. The following paragraphs apply to local Realms.
        ///
        /// The Realm reads the version that is newest when it is opened, even while other processes write: it doesn't
        /// refresh itself and sends no notifications. After `invalidate()`, and when the Realm is reopened, it reads
        /// the version that is newest then. Like every Realm, it uses the lock file and the folder `.management` next
        /// to the file, and creates them if they are missing. Opening throws if another library has the file open.
        ///
        /// If these can't be created or opened, for example on a read-only volume, the Realm opens without them and
        /// logs this once. In this case, no process may write to the file while it is open, because the data being read
        /// could be overwritten. If the file has been written to since it was opened, reading another version, or
        /// encountering damage, fails with `Realm.Error.fileAccess`, and the Realm must be reopened.
        public var readOnly: Bool = false

        /// The settings of the file and of its commits. An addition to Realm's API.
        public var storage = Storage()

        /// The settings of reads. An addition to Realm's API.
        public var access = Access()

        /// The rules by which the file's tables are adapted to the models. An addition to Realm's API.
        public var schemaRules = SchemaRules()

        /// The version of the schema that the models define. If it is greater than the version stored in the file, the
        /// file's tables and columns are migrated to match the models. It must never decrease.
        public var schemaVersion: UInt64 = 0 {
            didSet {
                if schemaVersion == .max {
                    throwRealmException("Cannot set schema version to \(UInt64.max) (RLMNotVersioned)")
                }
            }
        }

        /// The block that adapts the objects of a file with a lower `schemaVersion` to the models. It runs once, when
        /// the file is opened, in the write transaction that changes the schema. Ignored for a read-only Realm.
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
        /// Without a block, columns are added and removed automatically, and new columns have the zero value of their
        /// type.
        @preconcurrency public var migrationBlock: MigrationBlock?

        /// A Boolean value that indicates whether all data is deleted if the file needs a migration. Use it for caches,
        /// and during development.
        ///
        /// The data is deleted in the write transaction that installs the new schema, and the file is then compacted.
        /// Can't be combined with `readOnly` or `syncConfiguration`.
        public var deleteRealmIfMigrationNeeded: Bool = false {
            didSet { verifyKeptIfSynchronised() }
        }

        /// A block that decides whether to compact the file before use, called when the file is first opened in the
        /// process. Its arguments are the size of the file and the number of bytes in use. It isn't called for
        /// in-memory databases. If the file is open elsewhere, or if the compaction fails, for example because the disk
        /// is full, the file is used as it is. Can't be combined with `readOnly`.
        @preconcurrency public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?

        /// A Boolean value that indicates whether files of older formats aren't upgraded: opening one throws
        /// `Realm.Error.fileFormatUpgradeRequired`.
        ///
        /// If false, such a file is upgraded when it is opened. Before that, it is copied to a backup
        /// (`name.v22.backup.realm` for a file of format 22), which is removed after three months. A read-only Realm
        /// opens an older file without upgrading it.
        public var disableFormatUpgrade: Bool = false

        /// The maximum number of versions of the file in use in all processes, including the newest one; nil or 0 for
        /// no limit. A frozen object, or a Realm that doesn't advance, retains its version, and the file grows with
        /// each further version. Beginning a write with more versions than this traps.
        public var maximumNumberOfActiveVersions: UInt?

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

        /// The path of a Realm file that is copied to `fileURL` if no file exists there, before it is opened. It may
        /// have an older format, and must have the same key. Setting it clears `inMemoryIdentifier`.
        public var seedFilePath: URL? {
            get { seed }
            set {
                seed = newValue
                if newValue != nil { memoryIdentifier = nil }
            }
        }

        /// The rules in effect: other clients also use the tables of a synchronised file.
        var effectiveSchemaMode: SchemaRules.Mode { isSynchronised ? .additive : schemaRules.mode }

        /// Whether the Realm always reads one version: read-only, and without a session that writes to the file.
        package var isImmutable: Bool { readOnly && !isSynchronised }

        var needsFile: Bool { readOnly && !isDownloading }

        /// Whether opening waits for a download, which creates the file of a read-only Realm.
        private var isDownloading = false

        var downloading: Configuration {
            var configuration = self
            configuration.isDownloading = isSynchronised
            return configuration
        }

        private var key: Data?
        private var seed: URL?
        private(set) var path: String?
        private var memoryIdentifier: String?
        private var classes: [ObjectBase.Type]?

        init(at fileURL: URL?) { self.fileURL = fileURL }

        /// The URL of `default.realm` in the folder for this program's data: on Linux in `$XDG_DATA_HOME` (or
        /// `~/.local/share`), on a Mac in Application Support, both in a folder with the program's name; in Caches on
        /// an Apple TV, and in Documents on other Apple devices. The folder is created with the file.
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

        /// Returns `url.path`, computed ten times as fast for a file URL without escapes.
        private static func path(of url: URL) -> String {
            let scheme = "file://"
            let text = url.absoluteString
            let end = text.utf8.dropFirst(scheme.utf8.count)
            guard url.baseURL == nil, text.hasPrefix(scheme), end.first == UInt8(ascii: "/"), end.count > 1,
                end.last != UInt8(ascii: "/"), !end.contains(where: isSpecial)
            else { return url.path }
            return String(Substring(end))
        }

        private static func isSpecial(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "%") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "?")
                || byte == UInt8(ascii: "#")
        }

        private static func isObjectClass(_ type: ObjectBase.Type) -> Bool {
            type is Object.Type || type is EmbeddedObject.Type || type is AsymmetricObject.Type
        }

        /// The settings that reads and writes of the open database depend on.
        var readerSettings: ReaderSettings {
            ReaderSettings(
                path: path, memoryIdentifier: memoryIdentifier, isReadOnly: readOnly, isImmutable: isImmutable,
                writeLimit: storage.writeLimit, maxVersionCount: maximumNumberOfActiveVersions,
                trapsInvalidated: access.invalidated == .trap)
        }

        var place: String { readerSettings.place }

        /// Returns whether both open the same database with the same settings. Compares the location, the key,
        /// `readOnly`, the schema version, and the user and partition of a synchronised Realm.
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
            return hasAsymmetricClasses ? schema : schema.withoutAsymmetricClasses
        }

        /// The key of the database among those open in the process: its path, with symbolic links resolved.
        var registryName: String {
            let path = Folder.followed(Configuration.standardized(sharedPath))
            return Folder.resolved(Folder.containing(path)) + "/" + Folder.lastName(of: path)
        }

        /// Returns an absolute path without `.` and `..`. Checks first whether the path is already one: Foundation's
        /// standardisation takes longer than all other steps of finding an open database.
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
        /// 1). The open instance is then used, whatever the schema version and classes of `other`.
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

        func hasSameTypes(as other: Configuration) -> Bool {
            switch (objectTypes, other.objectTypes) {
            case (nil, nil): true
            case (let own?, let other?): own.elementsEqual(other) { $0 == $1 }
            default: false
            }
        }

        func verifyCompatible(acrossThreads other: Configuration) throws {
            try verifySamePermissions(other)
            if let difference = difference(from: other) { throwAlreadyOpened(difference + ".") }
            if schemaRules.mode != other.schemaRules.mode { throwAlreadyOpened("a different schema mode.") }
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
