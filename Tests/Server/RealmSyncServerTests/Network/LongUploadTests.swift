// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    /// Long uploads to a whole server.
    @Suite(.serialized, .timeLimited) struct LongUploadTests {
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

        @Test func otherPartitionsGoOnDuringALongUpload() async throws {
            let server = try await TestServer()
            var times: [(waited: Duration, whole: Duration)] = []
            repeat {
                times.append(try await uploadNextToAnother(server, "\(times.count)"))
            } while times.count < 20 && times[times.count - 1].waited >= times[times.count - 1].whole / 2
            #expect(times.contains { $0.waited < $0.whole / 2 }, "\(times)")
            try await server.stop()
            let again = try await TestServer(server.folder)
            let client = try await begin(again, "\"long 0\"")
            client.close()
            try await again.stop()
        }

        /// Returns the times until another partition has acknowledged an upload, and until the long upload is
        /// acknowledged.
        private func uploadNextToAnother(
            _ server: TestServer, _ name: String
        ) async throws -> (waited: Duration, whole: Duration) {
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
            let start = ContinuousClock.now
            try await other.upload([SimpleChanges.schema], first: 1)
            try await other.waitForUpload(1)
            let waited = ContinuousClock.now - start
            try await writer.waitForUpload(3)
            let whole = ContinuousClock.now - start
            var received = 0
            while received < 3 { received += try await reader.download().entries.count }
            guard case .ident = try await late.next() else { throw Failure("an ident was expected") }
            for client in [writer, reader, other, late] { client.close() }
            return (waited, whole)
        }

        /// Four merges of one list occupied all threads, so no other partition could integrate a long upload.
        @Test func longMergesDoNotDelayLongUploadsOfOthers() async throws {
            let server = try await TestServer()
            let insertions = Self.insertions(1000, Text(String(repeating: "x", count: 120)))
            var merging: [MessageClient] = []
            for number in 0..<5 {
                let writer = try await begin(server, "\"merged \(number)\"")
                let stale = try await begin(server, "\"merged \(number)\"")
                try await writer.upload([SimpleChanges.schema, insertions], first: 1)
                try await writer.waitForUpload(2)
                try await stale.upload([insertions], first: 1)
                merging.append(stale)
            }
            let other = try await begin(server, "\"other\"")
            let start = ContinuousClock.now
            try await other.upload([SimpleChanges.schema, Self.insertions(10_000)], first: 1)
            try await other.waitForUpload(2)
            let waited = ContinuousClock.now - start
            for client in merging { try await client.waitForUpload(1) }
            let whole = ContinuousClock.now - start
            #expect(waited < whole / 2, "\(waited) of \(whole)")
            try await server.stop()
        }

        @Test func aServerEndsDuringALongUpload() async throws {
            let server = try await TestServer()
            let writer = try await begin(server, "\"long\"")
            try await writer.upload([SimpleChanges.schema], first: 1)
            try await writer.waitForUpload(1)
            try await writer.upload([Self.insertions(4 * Self.count)], first: 2)
            try await Task.sleep(for: .milliseconds(300))
            let start = ContinuousClock.now
            try await server.stop()
            #expect(ContinuousClock.now - start < .seconds(2))
            let again = try await TestServer(server.folder)
            let client = try await MessageClient(port: again.port)
            _ = try await client.begin("\"long\"")
            #expect(try await client.download().entries.count >= 1)
            try await again.stop()
        }

        @Test func spellingsOfAPartitionAreTwoPartitions() async throws {
            let server = try await TestServer()
            let first = try await begin(server, "\"caf\u{e9}\"")
            try await first.upload([SimpleChanges.schema], first: 1)
            try await first.waitForUpload(1)
            let second = try await MessageClient(port: server.port)
            _ = try await second.begin("\"cafe\u{301}\"")
            #expect(try await second.download().entries.isEmpty)
            try await server.stop()
        }
    }
#endif
