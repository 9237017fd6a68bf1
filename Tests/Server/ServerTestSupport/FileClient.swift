// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport

    /// A client whose file is a database, in a process that may be killed at any time.
    ///
    /// It logs its commits: `+KEY` once an object is durable, `-KEY` before one is erased.
    package struct FileClient {
        private let database: Database
        private let link: SyncLink
        private let log: FileHandle
        private var random: SeededGenerator
        private var own: [Int64] = []

        private static let shared: Range<Int64> = 0..<5
        private static let longestList = 40

        package init(_ path: String, log: String, port: Int, uri: String, partition: String, seed: UInt64) throws {
            var options = OpenOptions()
            options.synchronisedHistory = ClientFileHistory()
            database = try Database.open(path, options: options)
            if !FileManager.default.fileExists(atPath: log) {
                _ = FileManager.default.createFile(atPath: log, contents: nil)
            }
            guard let file = FileHandle(forWritingAtPath: log) else { throw Failure("'\(log)' cannot be written") }
            try file.seekToEnd()
            (self.log, random) = (file, SeededGenerator(seed: seed))
            link = SyncLink(
                FileClientStore(database), port: { port }, uri: uri, path: PartitionValue.string(Text(partition)).path,
                seed: seed)
        }

        // MARK: Writing

        package mutating func write() async throws {
            if try database.snapshot().table(named: "class_Note") == nil { try commit { _ in SimpleChanges.schema } }
            while true {
                try change()
                try await link.loop.submit { [link] in link.didCommit() }.get()
                try await requireNoFailure()
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...30, using: &random)))
            }
        }

        private mutating func change() throws {
            let key = FileClient.shared.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<10:
                let key = Int64.random(in: 1000...Int64.max, using: &random)
                try commit { _ in SimpleChanges.create(key) }
                note("+\(key)")
                own.append(key)
            case 10 where !own.isEmpty:
                let key = own.remove(at: Int.random(in: 0..<own.count, using: &random))
                note("-\(key)")
                try commit { _ in Changeset([.eraseObject(SimpleChanges.object(key))]) }
            case 11..<15:
                try commit { _ in
                    Changeset(SimpleChanges.create(key).instructions + SimpleChanges.add(1, to: key).instructions)
                }
            default:
                let (index, choice) = (Int.random(in: 0..<1000, using: &random), random.next())
                try commit { try FileClient.listChange(key, index, choice, $0) }
            }
        }

        private static func listChange(
            _ key: Int64, _ index: Int, _ choice: UInt64, _ transaction: WriteTransaction
        ) throws -> Changeset {
            let create = SimpleChanges.create(key).instructions
            guard let table = try transaction.table(named: "class_Note"), let column = table.column(named: "tags"),
                let object = try table.object(primaryKey: .int(key)), let position = try table.find(object),
                case .list(let list) = try table.collection(column, at: position)
            else { return Changeset(create) }
            let size = list.count
            func at(_ index: Int, _ change: Change) -> Instruction {
                .change(Place(SimpleChanges.object(key), "tags", .one(.index(index))), change)
            }
            if size > longestList { return Changeset([at(index % size, .erase(priorSize: size))]) }
            if size > 1, choice % 4 == 0, index % size != 0 {
                return Changeset([at(index % size, .move(to: 0, priorSize: size))])
            }
            return Changeset([at(index % (size + 1), .insert(.string(Text("\(choice)")), priorSize: size))])
        }

        private func commit(_ make: (WriteTransaction) throws -> Changeset) throws {
            try database.write { try ChangesetApplier($0, isRecorded: true).apply(try make($0)) }
        }

        private func note(_ line: String) { try? log.write(contentsOf: Data((line + "\n").utf8)) }

        private func requireNoFailure() async throws {
            for failure in try await link.takeFailures() where failure.action != .transient {
                throw Failure("the session failed: \(failure.code) \(failure.error.message)")
            }
        }

        // MARK: Final state

        package func settle(within seconds: Int) async throws {
            let store = FileClientStore(database)
            for _ in 0..<seconds * 50 {
                try await requireNoFailure()
                let state = store.state
                let rest = store.uploads(after: state.progress.upload.clientVersion, limit: 1)
                if state.file != nil, rest.entries.isEmpty {
                    try await link.waitForDownload()
                    return try await requireNoFailure()
                }
                try await Task.sleep(for: .milliseconds(20))
            }
            throw Failure("the server has not taken all changes")
        }
    }
#endif
