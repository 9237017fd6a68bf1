// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    /// Bootstraps that are merged with uploads before a file has received them.
    @Suite(.timeLimited) struct MissedBootstrapTests {
        private static func query(_ version: UInt64, _ text: String) -> VersionedQuery {
            VersionedQuery(version: version, text: text)
        }

        /// The bootstrap discards a change that the file keeps. The object has to be sent again until it's received.
        @Test func objectsInCommonWithAnUploadAreSentUntilTheyAreReceived() throws {
            let folder = try TemporaryFolder()
            func open() throws -> StoredPartition {
                try StoredPartition(folder: folder.path + "/app", partition: "app", isFlexible: true)
            }
            var partition = try open()
            let file = try partition.addFile().ident
            var version: UInt64 = 0
            func upload(_ changeset: Changeset) throws {
                version += 1
                let change = UploadedChange(
                    clientVersion: version, serverVersion: version == 1 ? 0 : partition.newest.version,
                    order: ChangeOrder(timestamp: version, fileIdent: file), changeset: changeset)
                try partition.integrate([change], from: file)
                try partition.flush()
            }
            _ = try partition.subscribe(file, to: Self.query(0, "{}"), at: 0)
            try upload(SimpleChanges.schema)
            let all = Self.query(1, #"{"Note":"(TRUEPREDICATE)"}"#)
            _ = try partition.subscribe(file, to: all, at: partition.newest.version)
            try upload(SimpleChanges.create(1, n: 1))
            // The file has received everything so far, and misses the bootstraps from now on.
            let received = partition.newest.version
            _ = try partition.subscribe(file, to: Self.query(2, #"{"Note":"(n > 5)"}"#), at: received)
            let change = UploadedChange(
                clientVersion: version + 1, serverVersion: received,
                order: ChangeOrder(timestamp: 9, fileIdent: file), changeset: SimpleChanges.set(3, of: 1))
            try partition.integrate([change], from: file)
            try partition.flush()
            for attempt in 1...3 {
                #expect(try !partition.resume(file, with: all, at: received), "attempt \(attempt)")
                let bootstrap = try partition.subscribe(file, to: all, at: received)
                try partition.flush()
                let sent = try bootstrap.instructions()
                #expect(sent.contains(.createObject(SimpleChanges.object(1))), "attempt \(attempt)")
                // A server that restarts has the record.
                if attempt == 2 { partition = try open() }
            }
        }

        /// The reversal is made for a view that the file never has. Until the next bootstrap, the file keeps the object
        /// unchanged, because changes by others don't fit it.
        @Test func aWriteOutsideOfACancelledQueryIsRevertedByTheNextBootstrap() throws {
            let folder = try TemporaryFolder()
            let partition = try StoredPartition(folder: folder.path + "/app", partition: "app", isFlexible: true)
            let (file, other) = (try partition.addFile().ident, try partition.addFile().ident)
            let all = Self.query(1, #"{"Note":"(TRUEPREDICATE)"}"#)
            var versions: [UInt64: UInt64] = [:]
            func upload(_ changeset: Changeset, from file: UInt64, at version: UInt64) throws {
                versions[file, default: 0] += 1
                let change = UploadedChange(
                    clientVersion: versions[file]!, serverVersion: version,
                    order: ChangeOrder(timestamp: 9, fileIdent: file), changeset: changeset)
                try partition.integrate([change], from: file)
                try partition.flush()
            }
            for file in [file, other] {
                _ = try partition.subscribe(file, to: Self.query(0, "{}"), at: 0)
                try upload(SimpleChanges.schema, from: file, at: 0)
                _ = try partition.subscribe(file, to: all, at: partition.newest.version)
            }
            try upload(SimpleChanges.create(1, n: 1), from: other, at: partition.newest.version)
            let received = partition.newest.version
            _ = try partition.subscribe(file, to: Self.query(2, #"{"Note":"(n > 5)"}"#), at: received)
            try upload(SimpleChanges.set(3, of: 1), from: file, at: received)
            try upload(SimpleChanges.set(4, of: 1), from: other, at: received)
            #expect(try !partition.resume(file, with: all, at: received))
            let bootstrap = try partition.subscribe(file, to: all, at: received)
            let before = try partition.downloads(
                for: file, after: received, through: bootstrap.version - 1, limit: .max)
            #expect(before.entries.isEmpty)
            let sent = try bootstrap.instructions()
            let note = SimpleChanges.object(1)
            #expect(sent.firstIndex(of: .eraseObject(note)) ?? .max < sent.firstIndex(of: .createObject(note)) ?? .max)
        }

        /// The object is in the view of the cancelled query alone.
        @Test func anObjectThatACancelledQueryAcceptedLeavesTheFile() throws {
            let folder = try TemporaryFolder()
            let partition = try StoredPartition(folder: folder.path + "/app", partition: "app", isFlexible: true)
            let file = try partition.addFile().ident
            func upload(_ version: UInt64, _ changeset: Changeset, at received: UInt64) throws {
                let change = UploadedChange(
                    clientVersion: version, serverVersion: received,
                    order: ChangeOrder(timestamp: 9, fileIdent: file), changeset: changeset)
                try partition.integrate([change], from: file)
                try partition.flush()
            }
            let none = Self.query(0, "{}")
            _ = try partition.subscribe(file, to: none, at: 0)
            try upload(1, SimpleChanges.schema, at: 0)
            let received = partition.newest.version
            _ = try partition.subscribe(file, to: Self.query(1, #"{"Note":"(n < 0)"}"#), at: received)
            try upload(2, SimpleChanges.create(1, n: -2), at: received)
            #expect(try !partition.resume(file, with: none, at: received))
            let bootstrap = try partition.subscribe(
                file, to: Self.query(2, #"{"Note":"(n > 0)"}"#), at: received)
            let sent = try bootstrap.instructions()
            #expect(sent.contains(.eraseObject(SimpleChanges.object(1))))
        }
    }
#endif
