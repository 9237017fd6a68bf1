// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    @Suite(.timeLimited) struct IngestServiceTests {
        /// Ingested objects with the keys from 1 to `count`.
        private struct Source {
            let store: IngestStore
            let partition: StoredPartition
            let file: UInt64
            var count = 0

            /// Returns `nil` if PostgreSQL is absent.
            init?(_ kind: IngestStoreKind = .files) throws {
                guard let store = try IngestStore(kind) else { return nil }
                self.store = store
                partition = try store.open {
                    $0.ingest.segmentSize = 1000
                    $0.clock = { 1_600_000_000 }
                }
                file = try partition.lockedFile()
                try add([IngestModel.schema])
            }

            mutating func add(_ changesets: [Changeset]) throws {
                let start = partition.file(file)?.upload.clientVersion ?? 0
                let changes = changesets.enumerated().map {
                    UploadedChange($1, start + UInt64($0) + 1, from: file)
                }
                try partition.upload(changes, from: file)
            }

            mutating func addObjects(_ number: Int) throws {
                try add((1...number).map { Changeset([.createObject(IngestModel.object(Int64(count + $0)))]) })
                count += number
            }

            func respond(
                _ method: String = "GET", _ query: String = "", path: String = "/ingest/app", token: String? = nil,
                header: String? = nil, isLocal: Bool = true
            ) async -> HTTPResponse? {
                let request = HTTPRequest(
                    method: method, path: path, query: query,
                    headers: header.map { [("authorization", $0)] } ?? [], peer: "127.0.0.1")
                return await Source.respond(to: request, partition.ingestFeed, token: token, isLocal: isLocal)
            }

            static func respond(
                to request: HTTPRequest, _ feed: IngestFeed?, token: String? = nil, isLocal: Bool = true
            ) async -> HTTPResponse? {
                let service = IngestService(token: token) { $0 == "app" ? feed : nil }
                return await service.respond(to: request, isLocal: isLocal)
            }
        }

        private static func lines(_ response: HTTPResponse?) throws -> [JSON] {
            let text = String(decoding: try #require(response).body, as: UTF8.self)
            #expect(text.isEmpty || text.hasSuffix("\n"))
            return try text.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
        }

        private static func header(_ response: HTTPResponse?, _ name: String) -> String? {
            response?.headers.first { $0.name == name }?.value
        }

        @Test(arguments: IngestStoreKind.allCases)
        func aLineContainsTheNumberTheClassTheTimeAndTheDocument(_ kind: IngestStoreKind) async throws {
            guard var source = try Source(kind) else { return }
            try source.addObjects(1)
            let response = try #require(await source.respond())
            #expect(
                String(decoding: response.body, as: UTF8.self) == """
                    {"_seq":1,"class":"Reading","time":{"$date":"2020-09-13T12:26:40Z"},"user":"","document":{"_id":1}}

                    """)
            #expect(Self.header(response, "Content-Type") == "application/x-ndjson")
            let canonical = try Self.lines(await source.respond("GET", "format=canonical"))
            #expect(canonical[0]["document"]?["_id"] == ["$numberLong": "1"])
            #expect(canonical[0]["time"] == ["$date": ["$numberLong": "1600000000000"]])
        }

        @Test(arguments: IngestStoreKind.allCases)
        func aReaderFollowsTheCursor(_ kind: IngestStoreKind) async throws {
            guard var source = try Source(kind) else { return }
            try source.addObjects(25)
            for limit in [1, 7, 25, 100] {
                var (cursor, keys): (String, [Int64]) = ("0", [])
                while true {
                    let response = await source.respond("GET", "after=\(cursor)&limit=\(limit)")
                    let lines = try Self.lines(response)
                    #expect(lines.count <= limit)
                    if lines.isEmpty { break }
                    keys += lines.compactMap { $0["document"]?["_id"]?.integer() }
                    cursor = try #require(Self.header(response, "Ingest-Cursor"))
                }
                #expect(keys == Array(1...25) && cursor == "25")
            }
        }

        @Test(arguments: IngestStoreKind.allCases)
        func otherClassesAreSkipped(_ kind: IngestStoreKind) async throws {
            guard var source = try Source(kind) else { return }
            try source.addObjects(5)
            #expect(try Self.lines(await source.respond("GET", "class=Reading")).count == 5)
            let response = await source.respond("GET", "class=Other")
            #expect(try Self.lines(response).isEmpty && Self.header(response, "Ingest-Cursor") == "5")
        }

        @Test(arguments: IngestStoreKind.allCases)
        func aWaitingReaderGetsTheNextObject(_ kind: IngestStoreKind) async throws {
            guard var source = try Source(kind) else { return }
            try source.addObjects(2)
            let request = HTTPRequest(method: "GET", path: "/ingest/app", query: "after=2&wait=60", peer: "127.0.0.1")
            let feed = source.partition.ingestFeed
            async let response = Source.respond(to: request, feed)
            try await Task.sleep(for: .milliseconds(50))
            try source.addObjects(1)
            #expect(try Self.lines(await response).map { $0["_seq"]?.integer(Int.self) } == [3])
            #expect(try Self.lines(await source.respond("GET", "after=3&wait=1")).isEmpty)
        }

        @Test(arguments: IngestStoreKind.allCases)
        func removedObjectsAreReported(_ kind: IngestStoreKind) async throws {
            guard var source = try Source(kind) else { return }
            for _ in 0..<30 { try source.addObjects(1) }
            let response = await source.respond("DELETE", "through=20")
            let oldest = try #require(Self.header(response, "Ingest-Oldest").flatMap { Int($0) })
            #expect(response?.status == 204 && 2...21 ~= oldest)
            #expect(await source.respond("GET", "after=1")?.status == 410)
            #expect(try Self.lines(await source.respond("GET", "limit=1"))[0]["_seq"]?.integer(Int.self) == oldest)
        }

        private static let malformed = [
            ("GET", "after=x", 400), ("GET", "after=-1", 400), ("GET", "after=99", 400),
            ("GET", "after=18446744073709551615", 400), ("GET", "after=18446744073709551616", 400),
            ("GET", "limit=0", 400), ("GET", "limit=10001", 400), ("GET", "wait=61", 400), ("GET", "wait=-1", 400),
            ("GET", "format=bson", 400), ("DELETE", "", 400), ("DELETE", "through=a", 400),
            ("DELETE", "through=18446744073709551615", 204), ("POST", "", 405), ("GET", "%zz=%", 200),
        ]

        @Test(arguments: IngestStoreKind.allCases)
        func aMalformedRequestIsRejected(_ kind: IngestStoreKind) async throws {
            guard var source = try Source(kind) else { return }
            try source.addObjects(1)
            for (method, query, status) in Self.malformed {
                #expect(await source.respond(method, query)?.status == status, "\(method) \(query)")
            }
        }

        @Test func aReaderWithoutADatabaseGetsAnErrorThatItCanRepeat() async throws {
            let request = HTTPRequest(method: "GET", path: "/ingest/app", query: "", peer: "127.0.0.1")
            let service = IngestService(token: nil) { _ in throw IngestFeed.Refusal.unavailable("it is stopped") }
            let response = await service.respond(to: request, isLocal: true)
            #expect(response?.status == 503)
        }

        @Test func theTokenIsRequired() async throws {
            var source = try #require(try Source())
            try source.addObjects(1)
            #expect(await source.respond(isLocal: false)?.status == nil)
            func status(_ header: String?, isLocal: Bool = false) async -> Int? {
                await source.respond(token: "s3cret", header: header, isLocal: isLocal)?.status
            }
            #expect(await status("Bearer s3cret") == 200)
            for header in [nil, "Bearer", "Bearer s3cre", "Bearer s3crets", "s3cret", "bearer s3creT"] {
                #expect(await status(header) == 401)
                // The admin port has checked its own key.
                #expect(await status(header, isLocal: true) == 200)
            }
            #expect(await source.respond(path: "/ingest/other")?.status == 404)
            #expect(await source.respond(path: "/ingest/")?.status == 404)
            #expect(await source.respond(path: "/ingested/app")?.status == nil)
        }
    }
#endif
