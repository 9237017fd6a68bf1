// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport

    @testable import RealmSyncServer

    /// A copy of a flexible file of the original's client, and the app of ours with which it continues.
    struct FlexibleFixture {
        static let names = Fixtures.names(in: "sync/files").filter { $0.hasPrefix("flx-") }

        let path: String
        /// The former partition of the file, as its `bind` names it.
        let partition: String?
        let state: ClientFileState
        /// The documents that the file's server had, as far as the file shows them.
        let content: Changeset
        /// The changes that the server doesn't have.
        let pending: [Changeset]
        private let active: VersionedQuery

        init(_ name: String, in folder: TemporaryFolder) throws {
            path = folder.path + "/\(name).realm"
            try FileManager.default.copyItem(atPath: Fixtures.path("sync/files/\(name).realm"), toPath: path)
            let database = try FlexibleFixture.open(path)
            let store = FileClientStore(database)
            partition = try PartitionMigration.completed(in: database)?.partition
            (state, active) = (store.state, store.activeQuery)
            pending = try store.uploads(after: store.state.progress.upload.clientVersion, limit: .max).entries.map {
                try Changeset(decoding: $0.changeset)
            }
            let current = try StoredState.changeset(of: try database.snapshot(label: "test"))
            content = try FlexibleFixture.content(current, pending, active.text)
        }

        static func open(_ path: String) throws -> Database {
            var options = OpenOptions()
            options.synchronisedHistory = ClientFileHistory()
            return try Database.open(path, options: options)
        }

        // MARK: Content

        /// Removes the pending changes from the file's content, and adds the persons of the recorded server that the
        /// file doesn't have.
        private static func content(_ current: Changeset, _ pending: [Changeset], _ query: String) throws -> Changeset {
            var instructions = current.instructions
            var erased: Set<ObjectReference> = []
            var created: Set<ObjectReference> = []
            for instruction in pending.flatMap(\.instructions) {
                switch instruction {
                case .createObject(let object): created.insert(object)
                case .eraseObject(let object): erased.insert(object)
                case .change(let place, .addInteger(let amount)):
                    for (index, known) in instructions.enumerated() {
                        guard case .change(place, .update(.int(let sum), let isDefault)) = known else { continue }
                        instructions[index] = .change(place, .update(.int(sum - amount), isDefault: isDefault))
                    }
                default: break
                }
            }
            instructions.removeAll { $0.object.map(created.contains) == true }
            let kept = Set(instructions.compactMap(\.object)).union(created)
            guard instructions.contains(where: { $0.table == "Person" }) else { return Changeset(instructions) }
            for number in 1...6 {
                let person = FlexibleFixture.person(Int64(number))
                guard let object = person.first?.object, !kept.contains(object) else { continue }
                var model = SyncModel()
                try model.apply(Changeset(instructions + person))
                let row = model.tables["Person"]?.objects[object.key] ?? [:]
                if erased.contains(object) || !FlexibleFixture.holds(query, "Person", row) { instructions += person }
            }
            return Changeset(instructions)
        }

        private static func person(_ number: Int64) -> [Instruction] {
            let object = ObjectReference("Person", .int(number))
            return [
                .createObject(object),
                .change(Place(object, "name"), .update(.string(Text("Person \(number)")), isDefault: false)),
                .change(Place(object, "age"), .update(.int(10 * number), isDefault: false)),
                .change(
                    Place(object, "tags", Path([.index(0)])), .insert(.string(Text("t\(number)")), priorSize: 0)),
            ]
        }

        /// The documents after the pending changes, if the file kept them. The server doesn't keep objects of asymmetric
        /// classes.
        func expected(hasPending: Bool) throws -> SyncModel {
            var model = SyncModel()
            for changeset in [content] + (hasPending ? pending : []) { try model.apply(changeset) }
            for (name, table) in model.tables {
                guard case .asymmetric = table.definition.kind else { continue }
                let erasures = table.objects.keys.map { Instruction.eraseObject(ObjectReference(name, $0)) }
                try model.apply(Changeset(erasures))
            }
            return model
        }

        /// Whether an object satisfies the query of its class, which has the form that clients send.
        static func holds(_ query: String, _ className: Text, _ row: [Text: SyncModel.Content]) -> Bool {
            guard let text = (try? JSON(parsing: query))?[className.string]?.text else { return false }
            return text.dropFirst().dropLast().split(separator: ") OR (").contains { condition in
                let parts = condition.split(separator: " ", maxSplits: 2).map(String.init)
                if parts == ["TRUEPREDICATE"] { return true }
                guard parts.count == 3, let content = row[Text(parts[0])] else { return false }
                let literal = parts[2].trimmingCharacters(in: ["\""])
                switch (content, parts[1]) {
                case (.value(.int(let number)), ">"): return Int64(literal).map { number > $0 } == true
                case (.value(.int(let number)), "<"): return Int64(literal).map { number < $0 } == true
                case (.value(.string(let text)), "BEGINSWITH"): return text.string.hasPrefix(literal)
                case (.value(.string(let text)), "=="): return text.string == literal
                default: return false
                }
            }
        }

        // MARK: Server

        private static let app = "app"

        /// Creates the app in a data folder.
        ///
        /// - Parameter isKnown: Whether the server has the versions and the view of the file.
        func fill(_ folder: String, isKnown: Bool) throws {
            _ = try DataFolder.take(folder)
            let place = DocumentPlace(app: ByteText(Self.app), name: nil)
            let path = try DataFolder.folder(of: place, in: folder, makesParents: true)
            let store = try StoredPartition(folder: path, partition: place.title, isFlexible: true)
            if partition != nil {
                try FolderCatalog(folder).write(
                    MovedApp(field: "_partition", isFlexible: true).encoded, to: .migration(of: Self.app))
            }
            guard isKnown, let file = state.file else {
                try store.append(content)
                return try store.flush()
            }
            let next = PartitionHistory.NextVersion(salt: state.progress.latest.salt, time: 1)
            let seen = UInt64(Date().timeIntervalSince1970)
            store.note(.file(PartitionFile(file, bootstrap: 0, seen: seen)))
            func subscribe(_ query: VersionedQuery) throws {
                let (records, _) = try store.history.subscribe(
                    file.ident, to: query, at: store.newest.version, next, try store.openDocuments(), .unrestricted,
                    isStated: false)
                store.write(records)
                try store.flush()
            }
            /// - Parameter clientVersion: The version of the file that was uploaded; 0 for a version of the server.
            func add(_ bytes: [UInt8], _ clientVersion: UInt64 = 0) throws {
                var version = store.history.ownVersion(store.newest.version + 1, next, bytes)
                if clientVersion > 0 { (version.origin, version.clientVersion) = (file.ident, clientVersion) }
                store.note(.version(version))
                try store.flush()
                // They are opened again with the version.
                store.queryDocuments?.invalidate()
            }
            try subscribe(VersionedQuery(version: 0, text: "{}"))
            try add(content.encoded(), state.progress.download.clientVersion)
            if active.version > 0 { try subscribe(active) }
            let newest = state.progress.download.serverVersion
            while store.newest.version < newest { try add([]) }
            try requireEqual(store.newest.version, newest, "the version of the file")
            store.note(.advance(file.ident, state.progress.upload, seen: seen))
            try store.flush()
        }

        /// Creates the app in a data folder, moved back to partitions.
        func fillPartition(_ folder: String) throws {
            _ = try DataFolder.take(folder)
            guard let name = partition.flatMap({ PartitionName(path: $0) }) else {
                throw Failure("the file was never in a partition")
            }
            let place = DocumentPlace(app: ByteText(Self.app), name: name)
            let path = try DataFolder.folder(of: place, in: folder, makesParents: true)
            let store = try StoredPartition(folder: path, partition: place.title)
            try store.append(content)
            try store.flush()
            try FolderCatalog(folder).write(
                MovedApp(field: "_partition", isFlexible: false).encoded, to: .migration(of: Self.app))
        }

        /// Returns the documents in a data folder that no server uses.
        static func documents(in folder: String) throws -> SyncModel {
            let place = DocumentPlace(app: ByteText(app), name: nil)
            let path = try DataFolder.folder(of: place, in: folder, makesParents: false)
            let store = try StoredPartition(folder: path, partition: place.title, isFlexible: true)
            var model = SyncModel()
            for changeset in try store.stateChangesets() { try model.apply(changeset) }
            return model
        }
    }
#endif
