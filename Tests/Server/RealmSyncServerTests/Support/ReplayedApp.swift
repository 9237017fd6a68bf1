// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport

    @testable import RealmSyncServer

    /// An app of our server with the content and the rules of a recorded flexible server.
    final class ReplayedApp: ReplayedDirectory {
        private static let name = "app"

        private let folder: TemporaryFolder
        /// The codes of the errors in the recording.
        private let codes: Set<Int>
        private let schemas: [SchemaSettings]
        private var data: DataFolder?

        init(_ recording: Recording) throws {
            folder = try TemporaryFolder()
            codes = Set(
                recording.messages.compactMap {
                    if case .server(.jsonError(_, let code, _)) = $0.content { code } else { nil }
                })
            let content = try RecordedContent(recording)
            schemas = try ReplayedApp.schemas(content, codes)
            _ = try DataFolder.take(folder.path)
            try fill(content)
            data = try open()
        }

        /// The recorded servers with schema versions have 0, and 1 if a client moves to it.
        private static func schemas(_ content: RecordedContent, _ codes: Set<Int>) throws -> [SchemaSettings] {
            let versions: ClosedRange<UInt64>
            if codes.contains(SessionErrorCode.schemaVersionChanged.rawValue) {
                versions = 0...1
            } else if codes.contains(SessionErrorCode.badSchemaVersion.rawValue) {
                versions = 0...0
            } else {
                return []
            }
            var schema = AppSchema()
            for instruction in content.schema {
                switch instruction {
                case .addTable(let table): schema.insert(table)
                case .addColumn(let column): schema.insert(column)
                default: break
                }
            }
            var settings = SchemaSettings(app: name)
            settings.isDevelopment = true
            for version in versions {
                var file = SchemaFile(schema)
                file.version = version
                try settings.addVersion(file)
            }
            return [settings]
        }

        /// The app with error 232 was moved from partitions.
        private func fill(_ content: RecordedContent) throws {
            let isMoved = codes.contains(SessionErrorCode.migrateToFLX.rawValue)
            let place = DocumentPlace(
                app: ByteText(ReplayedApp.name), name: isMoved ? PartitionName(argument: "p1") : nil)
            let path = try DataFolder.folder(of: place, in: folder.path, makesParents: true)
            let store = try StoredPartition(folder: path, partition: place.title, isFlexible: place.isFlexible)
            for instructions in [content.schema, content.objects] where !instructions.isEmpty {
                try store.append(Changeset(instructions))
                try store.flush()
            }
            if isMoved { _ = try migration.migrate(field: "_partition") }
        }

        private var migration: AppMigration {
            get throws { try AppMigration(data: .folder(folder.path), app: ReplayedApp.name) }
        }

        private func open() throws -> DataFolder {
            try DataFolder(
                folder.path, .init(), flexibleApps: [ReplayedApp.name], schemas: schemas,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }

        /// The recorded server rejects objects with the name 'forbidden'.
        private var rights: UserRights {
            var rights = UserRights.unrestricted
            if codes.contains(SessionErrorCode.compensatingWrite.rawValue) {
                rights.classes["Person"] = ClassRights(
                    read: .all, write: .matching("name != 'forbidden'"), canInsert: true, canDelete: true,
                    readableFields: .all, writableFields: .all)
            }
            return rights
        }

        // MARK: Replay

        /// The other errors have no cause in their recordings: scripted resets, and 230 for an upload without objects.
        let ownErrors: Set<Int> = Set(
            [
                SessionErrorCode.compensatingWrite, .migrateToFLX, .revertToPBS, .badSchemaVersion,
                .schemaVersionChanged,
            ].map(\.rawValue))

        func prepare(_ message: ClientMessage, of connection: UInt64, answers: [ServerMessage]) throws {
            switch (message, answers.first) {
            case (.bind, .jsonError(_, SessionErrorCode.revertToPBS.rawValue, _)?):
                try flush()
                data = nil
                _ = try migration.revert()
                data = try open()
            case (.query, let answer):
                // The recorded server rejects a query by its number. Ours can reject it by its property.
                let isRejected = if case .queryError = answer { true } else { false }
                for open in data?.openPartitions ?? [] {
                    open.partition.history.queryableFields = isRejected ? .listed(common: [], byClass: [:]) : .all
                }
            default: break
            }
            guard case .bind = message, let data else { return }
            data.admit(connection, AccessGrant(app: ReplayedApp.name, user: "user", session: "", expiry: .max))
            let isFlexible = data.mode(of: connection) == .flexible
            data.decide(connection, .success(isFlexible ? .documents(rights) : .partition(.write)))
        }

        func flush() throws {
            for open in data?.openPartitions ?? [] where open.partition.isDirty { try open.partition.flush() }
        }

        // MARK: Directory

        func mode(of connection: UInt64) -> SyncMode? { data?.mode(of: connection) }

        func user(of connection: UInt64) -> String { data?.user(of: connection) ?? "" }

        func isReadOnly(_ path: String, connection: UInt64) -> Bool {
            data?.isReadOnly(path, connection: connection) ?? true
        }

        func move(_ path: String, of mode: SyncMode, connection: UInt64) -> SessionError? {
            data?.move(path, of: mode, connection: connection)
        }

        func partition(_ path: String, connection: UInt64) throws(SessionError) -> any PartitionStore {
            guard let data else { throw SessionError(.other, "the folder is closed") }
            return try data.partition(path, connection: connection)
        }
    }
#endif
