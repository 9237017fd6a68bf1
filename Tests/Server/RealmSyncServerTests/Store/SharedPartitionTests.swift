// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// A partition that several nodes share.
    @Suite struct SharedPartitionTests {
        private let folder: TemporaryFolder
        private let stores = MemoryStores()

        init() throws { folder = try TemporaryFolder() }

        private func open(
            _ node: Int, _ stores: (any SharedStores)? = nil, time: UInt64 = 1_700_000_000
        ) throws -> StoredPartition {
            let stores = stores ?? self.stores
            var options = StoredPartition.Options()
            options.smallLog = 4 << 10
            options.clientExpiry = 3600
            options.clock = { time }
            return try StoredPartition(
                folder: "\(folder.path)/\(node)", try stores.frames(app: "app", name: "\"p\""), title: "app/p",
                isFlexible: false, options)
        }

        private func file(_ node: StoredPartition, _ changesets: [Changeset] = []) throws -> UInt64 {
            try node.lock()
            let file = try node.addFile().ident
            let changes = changesets.enumerated().map { UploadedChange($1, UInt64($0 + 1), from: file) }
            try node.integrate(changes, from: file)
            try node.flush(compacts: false)
            return file
        }

        @Test(arguments: SharedStoresKind.allCases) func aNodeHasTheChangesOfAnother(_ kind: SharedStoresKind) throws {
            guard let stores = try TestStores(kind) else { return }
            let (a, b) = (try open(0, stores.node()), try open(1, stores.node()))
            let file = try file(a, [SimpleChanges.schema, SimpleChanges.create(1)])
            #expect(b.newest == SaltedVersion())
            try b.follow()
            #expect(b.newest == a.newest && b.file(file)?.upload.clientVersion == 2)
            #expect(try b.model() == a.model())
            let change = UploadedChange(SimpleChanges.add(1, to: 1), 3, from: file, basedOn: 2)
            try b.lock()
            try b.integrate([change], from: file)
            try b.flush()
            // The client repeats it at the other node.
            try a.lock()
            try a.integrate([change], from: file)
            try a.flush()
            #expect(a.newest == b.newest && a.newest.version == 3)
            #expect(try a.model() == b.model())
        }

        @Test func anUnfinishedCopyIsRepeated() throws {
            let node = try open(0)
            _ = try file(node, [SimpleChanges.schema])
            #expect(node.isCopyBehind)
            for attempt in 1...2 {
                _ = node.beginCopy()
                #expect(node.isCopyPending && !node.isCopyBehind)
                node.finishCopy(nil)
                #expect(node.isCopyBehind && node.failedCopies == attempt)
            }
            let changes = node.beginCopy()
            node.finishCopy(changes.newest)
            #expect(!node.isCopyPending && node.failedCopies == 0)
        }

        @Test func aChangeWithoutTheAppendLockIsDurableForNoNode() throws {
            let a = try open(0)
            let file = try file(a, [SimpleChanges.schema])
            try a.lock()
            try a.integrate([UploadedChange(SimpleChanges.create(1), 2, from: file)], from: file)
            stores.expireLocks()
            #expect(throws: SharedLogError.self) { try a.flush() }
            a.abandon()
            #expect(try open(1).newest.version == 1)
        }

        @Test(arguments: SharedStoresKind.allCases)
        func aNodeThatMissesReplacedFramesHasToLoadTheStore(_ kind: SharedStoresKind) throws {
            guard let stores = try TestStores(kind) else { return }
            let (a, b) = (try open(0, stores.node()), try open(1, stores.node()))
            let file = try file(a, [SimpleChanges.schema, SimpleChanges.create(1)])
            for version in 3..<6 {
                try a.lock()
                try a.integrate([UploadedChange(SimpleChanges.add(1, to: 1), UInt64(version), from: file)], from: file)
                try a.compact()
            }
            #expect(throws: SharedLogError.self) { try b.follow() }
            let again = try open(1, stores.node())
            #expect(again.newest == a.newest)
            #expect(try again.model() == a.model())
        }

        @Test(arguments: SharedStoresKind.allCases)
        func aNodeWithAFrameThatTheDatabaseHasLostHasToLoadTheStore(_ kind: SharedStoresKind) throws {
            guard let stores = try TestStores(kind) else { return }
            let (a, b) = (try open(0, stores.node()), try open(1, stores.node()))
            _ = try file(a, [SimpleChanges.schema])
            try b.follow()
            _ = try file(a)
            try stores.loseFrames()
            // The number of the lost frame has another one.
            _ = try file(b)
            #expect(throws: SharedLogError.self) { try a.follow() }
            #expect(throws: SharedLogError.self) { try a.lock() }
            _ = try file(try open(0, stores.node()))
        }

        @Test func aSilentFileDoesNotExpireWithoutTheAppendLock() throws {
            let file = try file(try open(0), [SimpleChanges.schema])
            let later = try open(1, time: 1_800_000_000)
            #expect(later.file(file)?.isExpired == false)
            #expect(later.isLockDue && !later.isDirty && !later.takeLockRequest())
            try later.lock()
            #expect(later.takeLockRequest() && later.file(file)?.isExpired == true)
        }

        @Test func aSessionIsTheLastOfItsFileAtAllNodes() throws {
            let (a, b) = (try open(0), try open(1))
            let file = try file(a, [SimpleChanges.schema])
            try b.lock()
            b.didIdentify(file)
            try b.flush()
            try a.lock()
            #expect(a.takeForeignFiles() == [file])
            a.abandon()
        }

        /// Uploads of clients at random nodes that lose locks and responses of the database.
        @Test(arguments: SharedStoresKind.allCases)
        func eachAcknowledgedChangeHasOneVersionAtAllNodes(_ kind: SharedStoresKind) throws {
            guard let stores = try TestStores(kind) else { return }
            let perNode = try (0..<3).map { _ in try stores.node() }
            let seed = Settings.number("REGNUM_SEED").map(UInt64.init) ?? UInt64.random(in: 0..<1 << 32)
            print("eachAcknowledgedChangeHasOneVersionAtAllNodes: seed \(seed)")
            var random = SeededGenerator(seed: seed)
            var nodes = try (0..<3).map { try open($0, perNode[$0]) }
            struct Client {
                let file: UInt64
                var version: UInt64
                var seen: UInt64
            }
            let first = try file(nodes[0], [SimpleChanges.schema, SimpleChanges.create(1)])
            var clients = [Client(file: first, version: 2, seen: 2)]
            for _ in 0..<3 { clients.append(Client(file: try file(nodes[1]), version: 0, seen: 0)) }
            for _ in 0..<400 {
                let (node, number) = (random.below(nodes.count), random.below(clients.count))
                do { try nodes[node].lock() } catch is SharedLogError {
                    nodes[node] = try open(node, perNode[node])
                    continue
                }
                let (client, partition) = (clients[number], nodes[node])
                // A new file has all objects only after its first download.
                guard client.seen >= 2 else {
                    clients[number].seen = partition.newest.version
                    try partition.flush()
                    continue
                }
                let change = UploadedChange(
                    SimpleChanges.add(1, to: 1), client.version + 1, from: client.file, basedOn: client.seen)
                try partition.integrate([change], from: client.file)
                switch random.below(10) {
                case 0: stores.memory.expireLocks()
                case 1: stores.memory.loseResponse()
                default: break
                }
                do {
                    try partition.flush()
                    clients[number].version += 1
                    clients[number].seen = partition.newest.version
                } catch {
                    partition.abandon()
                    nodes[node] = try open(node, perNode[node])
                }
                let other = random.below(nodes.count)
                do { try nodes[other].follow() } catch is SharedLogError {
                    nodes[other] = try open(other, perNode[other])
                }
            }
            nodes = try (0..<3).map { try open($0, perNode[$0]) }
            let model = try nodes[0].model()
            for node in nodes {
                #expect(try node.model() == model)
                #expect(node.newest == nodes[0].newest)
            }
            #expect(nodes[0].keptVersions < 300)
            let acknowledged = clients.reduce(0) { $0 + Int64($1.version) } - 2
            let durable = clients.reduce(0) { $0 + Int64(nodes[0].file($1.file)?.upload.clientVersion ?? 0) } - 2
            #expect((acknowledged...acknowledged + Int64(clients.count)).contains(durable))
            let place = Place(SimpleChanges.object(1), "n")
            #expect(model.content(at: place) == .value(.int(durable)))
        }
    }
#endif
