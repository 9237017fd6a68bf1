// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Long uploads to a whole server.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct LongUploadTests {
        private static let count = 60_000

        private static func insertions(_ count: Int, _ text: Text = "x") -> Changeset {
            let place = Place(SimpleChanges.object(1), "tags", .one(.index(0)))
            return Changeset(
                SimpleChanges.create(1).instructions
                    + (0..<count).map { .change(place, .insert(.string(text), priorSize: $0)) })
        }

        private func begin(_ server: TestServer, _ path: String) async throws -> MessageClient {
            let client = try await MessageClient(port: server.port)
            _ = try await client.begin(path)
            _ = try await client.download()
            return client
        }

        /// On a busy machine the long work may be complete before the test has sent the other upload, but not every time.
        private func requireOnce(_ body: (_ round: Int) async throws -> Bool) async throws {
            for round in 0..<20 { if try await body(round) { return } }
            Issue.record("the long work was complete in each round")
        }

        @Test func otherPartitionsGoOnDuringALongUpload() async throws {
            let server = try await TestServer()
            try await requireOnce { try await uploadNextToAnother(server, "\($0)") }
            try await server.stop()
            let again = try await TestServer(server.folder)
            let client = try await begin(again, "\"long 0\"")
            client.close()
        }

        /// Returns whether another partition acknowledged an upload before the long upload was acknowledged.
        private func uploadNextToAnother(_ server: TestServer, _ name: String) async throws -> Bool {
            let writer = try await begin(server, "\"long \(name)\"")
            let reader = try await begin(server, "\"long \(name)\"")
            let other = try await begin(server, "\"other \(name)\"")
            try await writer.upload([SimpleChanges.schema], first: 1)
            try await writer.waitForUpload(1)
            try await writer.upload([Self.insertions(Self.count)], first: 2)
            // Later messages of the same connection and the same partition wait in order.
            try await writer.upload([SimpleChanges.add(5, to: 1)], first: 3)
            let late = try await MessageClient(port: server.port)
            try await late.send(.bind(ClientMessage.Bind(session: 1, path: "\"long \(name)\"", needsIdent: true)))
            try await other.upload([SimpleChanges.schema], first: 1)
            try await other.waitForUpload(1)
            let isFirst = writer.acknowledgedVersion < 2
            try await writer.waitForUpload(3)
            var received = 0
            while received < 3 { received += try await reader.download().entries.count }
            guard case .ident = try await late.next() else { throw Failure("an ident was expected") }
            for client in [writer, reader, other, late] { client.close() }
            return isFirst
        }

        /// Four merges of one list occupied all threads, so no other partition could integrate a long upload.
        @Test func longMergesDoNotDelayLongUploadsOfOthers() async throws {
            let server = try await TestServer()
            try await requireOnce { try await uploadDuringMerges(server, "\($0)") }
        }

        /// Returns whether a long upload was acknowledged before most of the merges of other partitions.
        private func uploadDuringMerges(_ server: TestServer, _ name: String) async throws -> Bool {
            let insertions = Self.insertions(1000, Text(String(repeating: "x", count: 120)))
            let other = try await begin(server, "\"other \(name)\"")
            var merging: [MessageClient] = []
            for number in 0..<5 {
                let writer = try await begin(server, "\"merged \(name) \(number)\"")
                merging.append(try await begin(server, "\"merged \(name) \(number)\""))
                try await writer.upload([SimpleChanges.schema, insertions], first: 1)
                try await writer.waitForUpload(2)
                writer.close()
            }
            for client in merging { try await client.upload([insertions], first: 1) }
            try await other.upload([SimpleChanges.schema, Self.insertions(10_000)], first: 1)
            try await other.waitForUpload(2)
            let finished = merging.count { $0.acknowledgedVersion >= 1 }
            for client in merging { try await client.waitForUpload(1) }
            for client in merging + [other] { client.close() }
            return finished <= 2
        }

        @Test func aServerEndsDuringALongUpload() async throws {
            let folder = try TemporaryFolder()
            try await requireOnce { try await endDuringALongUpload(folder, "\"long \($0)\"") }
        }

        /// Returns whether the server had ended before the upload's work was complete.
        private func endDuringALongUpload(_ folder: TemporaryFolder, _ path: String) async throws -> Bool {
            let server = try await TestServer(folder)
            let writer = try await begin(server, path)
            try await writer.upload([SimpleChanges.schema], first: 1)
            try await writer.waitForUpload(1)
            try await writer.upload([Self.insertions(4 * Self.count)], first: 2)
            while !server.server.engine.isWorking, writer.acknowledgedVersion < 2 { await Task.yield() }
            try await server.stop()
            let isWorking = server.server.engine.isWorking
            let again = try await TestServer(folder)
            let client = try await MessageClient(port: again.port)
            _ = try await client.begin(path)
            #expect(try await client.download().entries.count >= 1)
            try await again.stop()
            return isWorking
        }

        @Test func spellingsOfAPartitionAreTwoPartitions() async throws {
            let server = try await TestServer()
            let first = try await begin(server, "\"caf\u{e9}\"")
            try await first.upload([SimpleChanges.schema], first: 1)
            try await first.waitForUpload(1)
            let second = try await MessageClient(port: server.port)
            _ = try await second.begin("\"cafe\u{301}\"")
            #expect(try await second.download().entries.isEmpty)
        }
    }

    extension SyncEngine {
        fileprivate var isWorking: Bool { work.isBusy || merges.isBusy }
    }
#endif
