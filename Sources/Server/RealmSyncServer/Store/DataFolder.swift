// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    import RealmAccounts
    import RealmCrypto
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// Used by one server at a time, and confined to the engine's thread.
    final class DataFolder: PartitionDirectory {
        private struct Key: Hashable {
            let app: ByteText
            let name: PartitionName
        }

        private let path: String
        private let lock: DiskFile
        private let options: StoredPartition.Options
        private let logger: Logger
        private let logs: OpenLogs
        private var partitions: [Key: StoredPartition] = [:]
        private(set) var grants: [UInt64: AccessGrant] = [:]
        /// The decision about the file that each connection is currently binding.
        private var decisions: [UInt64: Result<PartitionAccess, SessionError>] = [:]

        /// Creates the folder if it doesn't exist.
        ///
        /// - Throws: `ServerFailure` if another server uses the folder, `SystemError`.
        init(_ path: String, _ options: StoredPartition.Options, logger: Logger) throws {
            (self.path, self.options, self.logger) = (path, options, logger)
            logs = OpenLogs(limit: options.openLogs)
            lock = try DataFolder.take(path)
        }

        /// Creates the folder if it doesn't exist. The lock is held while the returned file exists.
        ///
        /// - Throws: `ServerFailure` if a server uses the folder, `SystemError`.
        static func take(_ path: String) throws -> DiskFile {
            try make(path)
            let lock = try DiskFile.open(path + "/server.lock", readOnly: false, creation: .createIfMissing)
            guard try lock.lock(.exclusive, waiting: false) else {
                throw ServerFailure(description: "Another server has the folder '\(path)'.")
            }
            return lock
        }

        private static func make(_ path: String) throws {
            if try Folder.create(path, mode: 0o700) { DiskFile.syncDirectory(of: path) }
        }

        struct OpenPartition {
            let app: String
            let name: String
            let partition: StoredPartition
        }

        var openPartitions: [OpenPartition] {
            partitions.map { OpenPartition(app: $0.app.string, name: $0.name.description, partition: $1) }
        }

        // MARK: Connections

        func admit(_ connection: UInt64, _ grant: AccessGrant) { grants[connection] = grant }

        func forget(_ connection: UInt64) {
            grants[connection] = nil
            decisions[connection] = nil
        }

        /// Returns the request to decide before the binding, or `nil` if the binding will fail in any case.
        func request(_ path: String, connection: UInt64) -> PartitionRequest? {
            guard let name = PartitionName(path: path), let grant = grants[connection] else { return nil }
            return PartitionRequest(grant, name)
        }

        func decide(_ connection: UInt64, _ decision: Result<PartitionAccess, SessionError>) {
            decisions[connection] = decision
        }

        func partition(_ path: String, connection: UInt64) throws(SessionError) -> any PartitionStore {
            guard let name = PartitionName(path: path) else {
                throw SessionError(.illegalPartition, DataFolder.refusal(of: path))
            }
            guard let grant = grants[connection], let decision = decisions[connection],
                try decision.get() != .none
            else { throw SessionError(.permissionDenied, "the user may not use this partition") }
            return try open(Key(app: ByteText(grant.app), name: name))
        }

        private static func refusal(of path: String) -> String {
            let (count, maximum) = (path.utf8.count, PartitionName.maximumByteCount)
            guard count <= maximum else { return "a partition value has \(count) bytes, more than \(maximum)" }
            return "not a partition value: \(path.prefix(200))"
        }

        func isReadOnly(_ path: String, connection: UInt64) -> Bool {
            guard case .success(.write)? = decisions[connection] else { return true }
            return false
        }

        // MARK: Partitions

        private func open(_ key: Key) throws(SessionError) -> StoredPartition {
            if let partition = partitions[key] { return partition }
            do {
                let folder = try DataFolder.folder(of: key.name, app: key.app.string, in: path, makesParents: true)
                let partition = try StoredPartition(folder: folder, partition: key.name.description, options, logs)
                partitions[key] = partition
                return partition
            } catch {
                logger.error("a partition cannot be opened", metadata: ["error": "\(error)"])
                throw SessionError(.other, "the server cannot open this partition")
            }
        }

        /// Returns `nil` if the partition doesn't exist.
        func existing(_ place: DocumentPlace) throws -> StoredPartition? {
            let key = Key(app: place.app, name: place.partition)
            if let partition = partitions[key] { return partition }
            let folder = try DataFolder.folder(
                of: place.partition, app: place.app.string, in: path, makesParents: false)
            return Folder.holds(folder) ? try open(key) : nil
        }

        static func folder(
            of name: PartitionName, app: String, in path: String, makesParents: Bool
        ) throws -> String {
            var folder = path + "/apps"
            if makesParents { try make(folder) }
            folder = try self.folder(app, in: folder)
            if makesParents { try make(folder) }
            folder += "/partitions"
            if makesParents { try make(folder) }
            return try self.folder(name.text.string, prefix: name.kind.rawValue + "_", in: folder)
        }

        /// Returns the existing folder of an earlier server, whose name contains capital letters.
        static func folder(_ text: String, prefix: String = "", in parent: String) throws -> String {
            let path = parent + "/" + (try fileName(text, prefix: prefix))
            let older = try fileName(text, prefix: prefix, keepsCapitals: true)
            // A case-insensitive disk finds the folder of another name.
            guard !Folder.holds(path), Folder.holds(parent + "/" + older),
                try Folder.names(in: parent, prefix: "").contains(where: { $0.isIdentical(to: older) })
            else { return path }
            return parent + "/" + older
        }

        /// Returns a name that is unique to the text, even on a case-insensitive disk. Bytes other than small letters,
        /// digits, `_`, and `-` are escaped, and a long name is replaced by a hash.
        static func fileName(_ text: String, prefix: String = "", keepsCapitals: Bool = false) throws -> String {
            let name = text.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "_"), UInt8(ascii: "-"):
                    String(UnicodeScalar(byte))
                case UInt8(ascii: "A")...UInt8(ascii: "Z") where keepsCapitals: String(UnicodeScalar(byte))
                default: "%" + Hexadecimal.text([byte])
                }
            }.joined()
            if prefix.utf8.count + name.utf8.count <= 200 {
                return prefix + (prefix.isEmpty && name.isEmpty ? "%" : name)
            }
            let hash = try SHA256()
            hash.update(Array((prefix + text).utf8))
            return "%hash" + Hexadecimal.text(hash.finish())
        }

        /// - Parameter absent: The partitions that other threads use.
        func flush(except absent: Set<ObjectIdentifier>) throws {
            for partition in partitions.values where !absent.contains(ObjectIdentifier(partition)) {
                try partition.flush(compacts: false)
            }
        }

        var partitionsToCompact: [StoredPartition] {
            partitions.values.filter { !$0.isBusy && !$0.isDirty && $0.isCompactionDue }
        }

        /// The documents of these partitions lack durable versions.
        var partitionsToDocument: [StoredPartition] {
            partitions.values.filter { !$0.isBusy && $0.areDocumentsBehind }
        }

        func isBusy(_ path: String, connection: UInt64) -> Bool {
            guard let name = PartitionName(path: path), let grant = grants[connection] else { return false }
            return partitions[Key(app: ByteText(grant.app), name: name)]?.isBusy == true
        }

        func unload(_ isBound: (any PartitionStore) -> Bool) {
            partitions = partitions.filter {
                $0.value.isBusy || $0.value.isDirty || $0.value.areDocumentsBehind || isBound($0.value)
            }
        }
    }

    /// An error that prevents a server from starting or continuing.
    public struct ServerFailure: Error, Sendable, CustomStringConvertible {
        /// The cause of the error.
        public let description: String
    }
#endif
