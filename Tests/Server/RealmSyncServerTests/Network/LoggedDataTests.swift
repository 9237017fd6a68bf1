// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// The log at its most verbose level contains no values of objects.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct LoggedDataTests {
        /// In each object, query, document, and hostile message.
        private static let secret = "s3cret"
        private static let path = "\"p\""
        private static let key = PrimaryKey.string("s3cret key")

        private static let schema = Changeset(
            IngestModel.schema.instructions + [
                .addTable(TableDefinition("Named", .topLevel(PrimaryKeyColumn("_id", .string, isNullable: false)))),
                .column("map", of: "Named", .string, .dictionary),
                .column("next", of: "Named", .link, isNullable: true, target: "Named"),
            ])

        private static func named(_ key: PrimaryKey = key) -> ObjectReference { ObjectReference("Named", key) }

        /// Changes that no client can apply, with values.
        private static let poisons: [[Instruction]] = [
            [.change(Place(named(.string("s3cret other")), "map"), .clear(.dictionary))],
            [.createObject(named(.int(5)))], [.createObject(ObjectReference("Absent", key))],
            [
                .createObject(named()),
                .change(Place(named(), "map", .one(.key("s3cret.key"))), .update(.string("s3cret"), isDefault: false)),
            ],
            [
                .createObject(named()),
                .change(Place(named(), "map", .one(.key("s3cret"))), .update(.int(5), isDefault: false)),
            ],
            [
                .createObject(named()),
                .change(
                    Place(named(), "next"), .update(.link(ObjectReference("Absent", key)), isDefault: false)),
            ],
            SimpleChanges.insert("s3cret", at: 7, of: 9, in: 1).instructions,
            [.change(Place(SimpleChanges.object(1), "n"), .update(.string("s3cret"), isDefault: false))],
            [IngestModel.set(1, "n", .string("s3cret"))],
        ]

        private static func hostileMessages() -> [[UInt8]] {
            let texts = [
                "s3cret 1 2\n", "s3cret", "upload 1 s3cret\ns3cret", "ident 1 s3cret 1 1 1 1 1\n",
                "query 1 1 6\ns3cret",
                "test_command 1 1 8\n{s3cret}", "mark s3cret 1\n", "bind 1 6 0 s3cret 0\ns3cret", "unbind s3cret\n",
                "upload 1 0 9 0 1 0 0\n1 0 1 0 6 s3cret", "json_error s3cret\n{\"s3cret\": 1}",
            ]
            return texts.map { Array($0.utf8) } + [Array("s3cret".utf8) + [0xFF, 0xFE, 0]]
        }

        private func client(_ server: TestServer, _ mode: SyncMode = .partition, app: String = "app") async throws
            -> MessageClient
        {
            try await MessageClient(port: server.port, uri: WebSocketClient.uri(user: "ann", app: app), mode: mode)
        }

        /// Reads until the session or the connection ends with an error.
        private func waitForError(_ client: MessageClient) async throws {
            while true {
                switch await client.nextEvent() {
                case .closed: return
                case .message(let bytes):
                    let text = String(decoding: bytes.prefix(30), as: UTF8.self)
                    if text.hasPrefix("json_error") || text.hasPrefix("query_error") { return client.close() }
                    guard client.acknowledgedVersion == 0 else { throw Failure("a change was accepted") }
                }
            }
        }

        @Test func theLogOfASessionContainsNoObjects() async throws {
            let server = try await TestServer {
                $0.ingestPartition = Self.path
                $0.flexibleApps = ["flexible"]
                $0.ingest = { batch in throw Failure("\(batch.objects.map(\.json))") }
            }
            let writer = try await client(server)
            _ = try await writer.begin(Self.path)
            _ = try await writer.download()
            let reading = Changeset([
                .createObject(IngestModel.object(1)), IngestModel.set(1, "note", .string("s3cret reading")),
            ])
            try await writer.upload(
                [
                    Self.schema, Changeset([.createObject(Self.named())]), SimpleChanges.create(1),
                    SimpleChanges.insert("s3cret tag", at: 0, of: 0, in: 1), reading,
                ], first: 1)
            try await writer.waitForUpload(5)
            for poison in Self.poisons {
                let client = try await client(server)
                _ = try await client.begin(Self.path)
                _ = try await client.download()
                try await client.upload([Changeset(poison)], first: 1, basedOn: 4)
                try await waitForError(client)
            }
            for message in Self.hostileMessages() {
                for mode in [SyncMode.partition, .flexible] {
                    let client = try await client(server, mode, app: mode == .flexible ? "flexible" : "app")
                    _ = try await client.begin(mode == .flexible ? SessionPurpose.ordinary.path() : Self.path)
                    try await client.socket.send(message).get()
                    // The session survives some of the messages.
                    try? await client.socket.send(Array("unknown\n".utf8)).get()
                    try await waitForError(client)
                }
            }
            for query in [
                #"{"Note": "n == 's3cret'"}"#, #"{"Note": "s3cret =="}"#, #"{"s3cret"#,
                #"{"Note": "tags == 's3cret' FOO"}"#,
            ] {
                let client = try await client(server, .flexible, app: "flexible")
                _ = try await client.begin(SessionPurpose.ordinary.path())
                try await client.send(.query(session: 1, VersionedQuery(version: 1, text: query)))
                try await waitForError(client)
            }
            while !server.log.text.contains("ingested objects are not processed") {
                try await Task.sleep(for: .milliseconds(10))
            }
            try await server.stop()
            let log = server.log.text
            #expect(log.contains("a client gets error 212") && log.contains("there is no message"), "\(log)")
            for line in log.split(separator: "\n") { #expect(!line.contains(Self.secret), "\(line)") }
        }

        @Test(.embeddedStore) func theErrorOfADamagedPartitionContainsNoObjects() async throws {
            let folder = try TemporaryFolder()
            let file = PartitionFile(SaltedIdent(ident: 2, salt: 7), bootstrap: 0, seen: 1 << 40)
            for (number, poison) in Self.poisons.enumerated() {
                let name = PartitionName(argument: "p\(number)")
                let path = try DataFolder.folder(of: name, app: "app", in: folder.path, makesParents: true)
                let changes = [Self.schema, SimpleChanges.create(1), Changeset(poison)]
                try PartitionLog.write(changes, in: path, name.description, from: file)
            }
            let server = try await TestServer(folder)
            for number in Self.poisons.indices {
                let client = try await client(server)
                try await client.send(
                    .bind(ClientMessage.Bind(session: 1, path: "\"p\(number)\"", needsIdent: true)))
                try await waitForError(client)
            }
            try await server.stop()
            let lines = server.log.text.split(separator: "\n").filter { $0.contains("a partition cannot be opened") }
            #expect(lines.count == Self.poisons.count, "\(server.log.text)")
            for line in lines {
                #expect(!line.contains(Self.secret) && line.contains("realm-server repair"), "\(line)")
            }
        }

        @Test func theLogOfDocumentsContainsNoObjects() async throws {
            let server = try await TestServer(
                accounts: AccountsConfiguration(apps: [AppConfiguration(id: "chat")]))
            let base = "/api/client/v2.0/app/chat"
            func post(_ path: String, _ body: String, token: String = "") async throws -> String {
                try await PlainRequest.answer(
                    server.port,
                    "POST \(base)\(path) HTTP/1.1\r\nContent-Type: application/json\r\nAuthorization: Bearer \(token)",
                    body: body)
            }
            let user = try await post("/auth/providers/anon-user/login", #"{"provider":"anon-user"}"#)
            let json = try JSON(parsing: user.components(separatedBy: "\r\n\r\n").dropFirst().joined())
            let token = try #require(json["access_token"]?.text)
            let calls = [
                ("insertOne", #""document":{"_partition":"p","_id":"s3cret","name":"s3cret"}"#),
                ("find", #""query":{"_partition":"p","name":"s3cret"}"#), ("find", #""query":{"$s3cret":1}"#),
                ("updateMany", #""query":{"_partition":"p"},"update":{"$s3cret":{"a":"s3cret"}}"#),
                ("aggregate", #""pipeline":[{"$match":{"_partition":"p","a":{"$s3cret":"s3cret"}}}]"#),
                ("s3cret", #""query":{}"#), ("insertOne", #""document":"s3cret""#),
            ]
            for (name, arguments) in calls {
                let body =
                    #"{"name":"\#(name)","service":"mongodb-atlas","arguments":[{"database":"d","#
                    + #""collection":"Dog",\#(arguments)}]}"#
                #expect(try await post("/functions/call", body, token: token).hasPrefix("HTTP/1.1 "))
            }
            for body in ["s3cret", #"{"s3cret":"#, #"{"name":"s3cret","arguments":["s3cret"]}"#] {
                #expect(try await post("/functions/call", body, token: token).hasPrefix("HTTP/1.1 4"))
            }
            _ = try await post(
                "/auth/providers/local-userpass/login", #"{"username":"ann@example.org","password":"s3cret"}"#)
            _ = try await PlainRequest.answer(server.port, "GET /s3cret?s3cret=s3cret HTTP/1.1")
            try await server.stop()
            let log = server.log.text
            #expect(log.contains("POST"), "\(log)")
            for line in log.split(separator: "\n") { #expect(!line.contains(Self.secret), "\(line)") }
        }
    }
#endif
