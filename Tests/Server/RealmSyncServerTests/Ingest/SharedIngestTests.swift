// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Clients that ingest objects at several nodes.
    @Suite(.timeLimited) struct SharedIngestTests {
        private static let kinds = IngestStoreKind.allCases.filter { $0.shared != nil }

        /// Clients that repeat uploads at random nodes, some of which end between the commit and the acknowledgement.
        private struct Run {
            let store: IngestStore
            var nodes: [StoredPartition] = []
            var files: [UInt64] = []
            /// The changes of each file, with their documents.
            var changes: [[(changeset: Changeset, documents: [String])]] = [[], [], []]
            /// In the order of their integration.
            var documents: [String] = []
            var acknowledged: [UInt64] = [0, 0, 0]
            var lastKey: Int64 = 0

            init(_ store: IngestStore) throws {
                self.store = store
                for node in 0..<2 { nodes.append(try store.open(node: node) { $0.smallLog = 2 << 10 }) }
                for file in 0..<3 {
                    files.append(try nodes[0].lockedFile())
                    changes[file].append((IngestModel.schema, []))
                }
            }

            mutating func commit(_ file: Int, _ generator: inout SeededGenerator) {
                var (instructions, documents): ([Instruction], [String]) = ([], [])
                for _ in 0..<generator.below(4) {
                    lastKey += 1
                    let (created, document) = IngestModel.random(lastKey, &generator)
                    instructions += generator.chance(20) ? SimpleChanges.create(lastKey).instructions : created
                    if case .createObject(IngestModel.object(lastKey))? = instructions.first(where: {
                        $0.object == IngestModel.object(lastKey)
                    }) {
                        documents.append(document)
                    }
                }
                changes[file].append((Changeset(instructions), documents))
            }

            /// - Parameter isAcknowledged: Whether the client learns that the upload is durable.
            mutating func upload(_ file: Int, node: Int, isAcknowledged: Bool) throws {
                let known = Int(acknowledged[file])
                let uploads = changes[file].enumerated().dropFirst(known).map {
                    UploadedChange($1.changeset, UInt64($0 + 1), from: files[file])
                }
                try nodes[node].lock()
                let integrated = Int(nodes[node].file(files[file])?.upload.clientVersion ?? 0)
                try nodes[node].integrate(uploads, from: files[file])
                try nodes[node].flush()
                for change in changes[file].dropFirst(integrated) { documents += change.documents }
                if isAcknowledged { acknowledged[file] = UInt64(changes[file].count) }
            }

            mutating func restart(_ node: Int) throws {
                nodes[node].abandon()
                nodes[node] = try store.open(node: node) { $0.smallLog = 2 << 10 }
            }
        }

        @Test(arguments: kinds, [1, 2, 3] as [UInt64])
        func eachObjectIsReadOnceInOrderFromEitherNode(_ kind: IngestStoreKind, seed: UInt64) throws {
            guard let store = try IngestStore(kind) else { return }
            var generator = SeededGenerator(seed: seed)
            var run = try Run(store)
            for _ in 0..<80 {
                let (file, node) = (generator.below(3), generator.below(2))
                switch generator.below(10) {
                case 0...4: run.commit(file, &generator)
                case 5...8:
                    let isAcknowledged = generator.chance(60)
                    try run.upload(file, node: node, isAcknowledged: isAcknowledged)
                    if !isAcknowledged, generator.chance(50) { try run.restart(node) }
                default: try run.nodes[node].follow()
                }
            }
            for file in 0..<3 { try run.upload(file, node: file % 2, isAcknowledged: true) }
            #expect(run.documents.count > 20, "seed \(seed)")
            for node in run.nodes { #expect(try node.ingestFeed?.documents() == run.documents, "seed \(seed)") }
            // The frames contain only their numbers.
            #expect(
                try run.nodes[0].stateChangesets().allSatisfy {
                    $0.objects.allSatisfy { $0.table != IngestModel.table }
                })
        }

        @Test(arguments: kinds) func anUploadThatIsNotDurableIngestsNothing(_ kind: IngestStoreKind) throws {
            guard let store = try IngestStore(kind) else { return }
            let partition = try store.open()
            let file = try partition.lockedFile()
            try partition.upload([UploadedChange(IngestModel.schema, 1, from: file)], from: file)
            let change = UploadedChange(Changeset([.createObject(IngestModel.object(1))]), 2, from: file)
            try partition.lock()
            try partition.integrate([change], from: file)
            partition.abandon()
            let other = try store.open(node: 1)
            #expect(other.ingestFeed?.newestSequence == 0)
            try other.upload([change], from: file)
            try other.upload([change], from: file)
            #expect(try other.ingestFeed?.documents() == [#"{"_id":1}"#])
        }

        @Test func aCommitWithoutAResponseIsNotRepeated() throws {
            let store = try #require(try IngestStore(.memory))
            let partition = try store.open()
            let file = try partition.lockedFile()
            try partition.upload([UploadedChange(IngestModel.schema, 1, from: file)], from: file)
            let change = UploadedChange(Changeset([.createObject(IngestModel.object(1))]), 2, from: file)
            store.shared?.memory.loseResponse()
            #expect(throws: SharedStoresUnavailable.self) { try partition.upload([change], from: file) }
            partition.abandon()
            let again = try store.open()
            try again.upload([change], from: file)
            #expect(again.ingestFeed?.newestSequence == 1)
        }

        @Test(arguments: kinds) func partitionsRejectAsymmetricClasses(_ kind: IngestStoreKind) throws {
            guard let store = try IngestStore(kind) else { return }
            let partition = try store.open { $0.ingests = false }
            let file = try partition.lockedFile()
            try partition.lock()
            let changes = [IngestModel.schema, Changeset([.createObject(IngestModel.object(1))])].enumerated().map {
                UploadedChange($1, UInt64($0 + 1), from: file)
            }
            let error = #expect(throws: SessionError.self) { try partition.integrate(changes, from: file) }
            #expect(error?.code == .badChangeset)
            partition.abandon()
        }

        @Test(arguments: kinds) func oneNodeHasTheRightToDeliver(_ kind: IngestStoreKind) throws {
            guard let store = try IngestStore(kind) else { return }
            let feeds = try (0..<2).map { try #require(try store.open(node: $0).ingestFeed) }
            #expect(try feeds[0].source.beginDelivery() == 0)
            #expect(try feeds[1].source.beginDelivery() == nil)
            #expect(throws: IngestFeed.Refusal.leaseLost) { try feeds[1].source.didDeliver(through: 5) }
            try feeds[0].source.didDeliver(through: 3)
            #expect(try feeds[0].source.beginDelivery() == 3)
            #expect(feeds[0].source.lease?.end != nil && feeds[1].source.lease?.end == nil)
            try feeds[1].source.endDelivery()
            #expect(try feeds[1].source.beginDelivery() == nil)
            try feeds[0].source.endDelivery()
            #expect(try feeds[1].source.beginDelivery() == 3)
            #expect(throws: IngestFeed.Refusal.leaseLost) { try feeds[0].source.didDeliver(through: 4) }
        }
    }
#endif
