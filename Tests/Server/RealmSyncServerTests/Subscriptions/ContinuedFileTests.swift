// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    /// Flexible files of the original's client, which our client continues with our server over a real socket.
    @Suite(.serialized, .timeLimited, .embeddedStore, .scope(TestCleanup.perform)) struct ContinuedFileTests {
        private let (folder, data): (TemporaryFolder, TemporaryFolder)

        init() throws { (folder, data) = (try TemporaryFolder(), try TemporaryFolder()) }

        private func server(_ change: (inout RealmServer.Options) -> Void = { _ in }) async throws -> TestServer {
            try await TestServer(data) { options in
                options.flexibleApps = ["app"]
                change(&options)
            }
        }

        private func client(_ path: String, _ fixture: FlexibleFixture, _ server: TestServer) throws -> FlexibleClient {
            let port = server.port
            return try FlexibleClient(path, user: "ann", migratedPartition: fixture.partition, seed: 1) { port }
        }

        /// Waits until everything is exchanged. Returns the errors.
        private func finish(_ client: FlexibleClient) async throws -> [ClientFailure] {
            try await client.waitForSubscriptions()
            try await client.waitForUpload()
            try await client.waitForDownload()
            client.stop()
            return try await client.takeFailures()
        }

        private func failure(of client: FlexibleClient) async throws -> ClientFailure {
            while try await client.failureCount == 0 { try await Task.sleep(for: .milliseconds(10)) }
            client.stop()
            let failures = try await client.takeFailures()
            return try #require(failures.first)
        }

        /// Requires that the file has the results of its queries, that the server has the file's changes, and that the
        /// file is valid.
        private func verify(_ fixture: FlexibleFixture, hasPending: Bool = true) throws {
            let expected = try fixture.expected(hasPending: hasPending)
            let documents = try FlexibleFixture.documents(in: data.path)
            for (name, table) in expected.tables {
                #expect(documents.tables[name]?.columns == table.columns, "\(name)")
                #expect(documents.tables[name]?.objects ?? [:] == table.objects, "\(name)")
            }
            let (model, query) = try content(of: fixture.path)
            for (name, table) in documents.tables where table.definition.kind != .embedded {
                let matching = table.objects.filter { FlexibleFixture.holds(query, name, $0.value) }
                #expect(model.tables[name]?.objects ?? [:] == matching, "\(name) \(query)")
            }
            try FileAudit.requireClean(path: fixture.path, strict: false)
        }

        private func content(of path: String) throws -> (SyncModel, query: String) {
            let database = try FlexibleFixture.open(path)
            return (
                try StoredState.model(of: try database.snapshot(label: "test")),
                FileClientStore(database).activeQuery.text
            )
        }

        @Test func thereAreFiles() { #expect(FlexibleFixture.names.count == 16) }

        /// The server has the versions and the view of the file.
        @Test(arguments: FlexibleFixture.names) func theFileContinues(_ name: String) async throws {
            let fixture = try FlexibleFixture(name, in: folder)
            try fixture.fill(data.path, isKnown: true)
            let server = try await server()
            let failures = try await finish(try client(fixture.path, fixture, server))
            #expect(failures.isEmpty, "\(failures)")
            #expect(await server.server.ingestBacklog(of: "app") == (name == "flx-asymmetric-pending" ? 1 : 0))
            try await server.stop()
            try verify(fixture)
        }

        /// The server doesn't know the file, which recovers its pending changes.
        @Test(arguments: FlexibleFixture.names.filter { !$0.hasPrefix("flx-fresh") })
        func anUnknownFileIsReset(_ name: String) async throws {
            let fixture = try FlexibleFixture(name, in: folder)
            try fixture.fill(data.path, isKnown: false)
            let server = try await server()
            let failure = try await failure(of: try client(fixture.path, fixture, server))
            #expect(failure.code == SessionErrorCode.unknownIdent.rawValue && failure.action == .clientReset)
            let mode = try await reset(fixture, server)
            // The file has the record of an earlier reset that wasn't completed.
            #expect(mode == (name == "flx-reset-unconfirmed" ? .discard : .recover))
            let failures = try await finish(try client(fixture.path, fixture, server))
            #expect(failures.isEmpty, "\(failures)")
            #expect(await server.server.ingestBacklog(of: "app") == (name == "flx-asymmetric-pending" ? 1 : 0))
            try await server.stop()
            try verify(fixture, hasPending: mode == .recover)
        }

        /// Recovers the pending changes, or discards them in a cycle of resets.
        private func reset(_ fixture: FlexibleFixture, _ server: TestServer) async throws -> ClientResetMode {
            let path = fixture.path + ".fresh"
            try FlexibleFixture.open(path).subscribe(as: try FlexibleFixture.open(fixture.path))
            let failures = try await finish(try client(path, fixture, server))
            #expect(failures.isEmpty, "\(failures)")
            let local = try FlexibleFixture.open(fixture.path)
            let reset = ClientReset(local: local, fresh: try FlexibleFixture.open(path))
            var mode = ClientResetMode.recover
            do { mode = try reset.run(.recover).mode } catch {
                #expect(error.reason == .cycle, "\(error)")
                mode = try reset.run(.recover, mayDiscard: true).mode
            }
            try ClientResetRecord.remove(from: local)
            return mode
        }

        @Test func aRejectedAsymmetricObjectIsReportedAndSkipped() async throws {
            let fixture = try FlexibleFixture("flx-asymmetric-pending", in: folder)
            try fixture.fill(data.path, isKnown: true)
            let server = try await server { options in
                options.documentAccess = { _ in
                    var access = DocumentAccess(others: .all)
                    access["Event"] = .readOnly
                    return access
                }
            }
            let failures = try await finish(try client(fixture.path, fixture, server))
            #expect(failures.map(\.code) == [SessionErrorCode.writeNotAllowed.rawValue])
            #expect(failures.first?.action == .warning)
            let objects = failures.first?.error.rejection?.updates.map(\.object) ?? []
            #expect(objects == fixture.pending[0].instructions.prefix(1).compactMap(\.object))
            #expect(await server.server.ingestBacklog(of: "app") == 0)
            try await server.stop()
            try verify(fixture)
        }

        @Test func aFileOfAnAppThatHasPartitionsAgainIsMovedBack() async throws {
            let fixture = try FlexibleFixture("flx-migrated", in: folder)
            try fixture.fillPartition(data.path)
            let server = try await server()
            let before = try content(of: fixture.path)
            let failure = try await failure(of: try client(fixture.path, fixture, server))
            #expect(failure.code == SessionErrorCode.revertToPBS.rawValue && failure.action == .revertToPBS)
            // The copy of the partition, with which the file continues.
            let path = folder.path + "/fresh.realm"
            let port = server.port
            let partition = try #require(fixture.partition.flatMap { PartitionValue(path: $0) })
            guard case .string(let name) = partition else { throw Failure("another kind of partition") }
            let fresh = try FlexibleClient(path, user: "ann", partition: name.string, seed: 1) { port }
            try await fresh.waitForDownload()
            fresh.stop()
            #expect(try await fresh.takeFailures().isEmpty)
            let local = try FlexibleFixture.open(fixture.path)
            let reset = ClientReset(local: local, fresh: try FlexibleFixture.open(path), .toPartition)
            #expect(try reset.run(.recover).mode == .recover)
            try ClientResetRecord.remove(from: local)
            let moved = try FlexibleClient(fixture.path, user: "ann", partition: name.string, seed: 1) { port }
            try await moved.waitForUpload()
            try await moved.waitForDownload()
            moved.stop()
            #expect(try await moved.takeFailures().isEmpty)
            #expect(try StoredState.model(of: try local.snapshot(label: "test")) == before.0)
            #expect(try PartitionMigration.completed(in: local) == nil)
        }
    }
#endif
