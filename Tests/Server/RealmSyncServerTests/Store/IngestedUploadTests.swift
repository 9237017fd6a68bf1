// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport
    import Testing

    @testable import RealmSyncServer

    /// Uploads to asymmetric classes.
    @Suite struct IngestedUploadTests {
        private let folder: TemporaryFolder
        private let partition: StoredPartition
        private let file: UInt64
        private let feed: IngestFeed

        init() throws {
            folder = try TemporaryFolder()
            var options = StoredPartition.Options()
            options.ingests = true
            partition = try StoredPartition(folder: folder.path, partition: "string:p", options)
            file = try partition.addFile().ident
            feed = try #require(partition.ingestFeed)
            try partition.integrate([UploadedChange(IngestModel.schema, 1, from: file)], from: file)
            try partition.flush()
        }

        private func integrate(_ instructions: [Instruction], _ version: UInt64) throws {
            try partition.integrate([UploadedChange(Changeset(instructions), version, from: file)], from: file)
            try partition.flush()
        }

        @Test func anObjectIsNeitherAVersionNorPartOfTheState() throws {
            var generator = SeededGenerator(seed: 1)
            let (instructions, document) = IngestModel.random(1, &generator)
            let newest = partition.newest
            try integrate(instructions, 2)
            #expect(partition.newest == newest && partition.file(file)?.upload.clientVersion == 2)
            #expect(try feed.documents() == [document])
            try integrate(instructions + SimpleChanges.create(1).instructions, 3)
            #expect(partition.newest.version == newest.version + 1)
            #expect(try feed.documents() == [document, document])
            #expect(
                try partition.downloads(for: try partition.addFile().ident, after: 0, limit: .max).entries.count == 2)
        }

        @Test func twoClientsAgreeOnAnAsymmetricClass() throws {
            let other = try partition.addFile().ident
            try partition.integrate([UploadedChange(IngestModel.schema, 1, from: other)], from: other)
            let wrong = Changeset([.addTable(TableDefinition(IngestModel.table, .embedded))])
            #expect(throws: SessionError.self) {
                try partition.integrate([UploadedChange(wrong, 2, from: other)], from: other)
            }
        }

        @Test func theClassCanBePartOfTheUploadOfItsObjects() throws {
            let folder = try TemporaryFolder()
            var options = StoredPartition.Options()
            options.ingests = true
            let partition = try StoredPartition(folder: folder.path, partition: "string:p", options)
            let file = try partition.addFile().ident
            var generator = SeededGenerator(seed: 1)
            let (instructions, document) = IngestModel.random(1, &generator)
            let changes = [IngestModel.schema.instructions + instructions, instructions].enumerated().map {
                UploadedChange(Changeset($1), UInt64($0 + 1), from: file)
            }
            try partition.integrate(changes, from: file)
            try partition.flush()
            #expect(try partition.ingestFeed?.documents() == [document, document])
        }

        @Test func aDocumentContainsTheExactValues() throws {
            let key: Int64 = 9
            try integrate(
                [
                    .createObject(IngestModel.object(key)), IngestModel.set(key, "n", .int(1)),
                    .change(Place(IngestModel.object(key), "n"), .addInteger(41)),
                    IngestModel.set(key, "when", .timestamp(Timestamp(seconds: -1, nanoseconds: -5_000_000))),
                    IngestModel.set(key, "any", .list),
                    .change(
                        Place(IngestModel.object(key), "any", .one(.index(0))),
                        .insert(.decimal(try #require(DecimalBits("1.5"))), priorSize: 0)),
                    .change(
                        Place(IngestModel.object(key), "any", .one(.index(1))),
                        .insert(.binary([1, 2]), priorSize: 1)),
                ], 2)
            let record = try #require(try feed.page(after: 0, limit: 1).records.first)
            #expect(
                try record.extendedJSON().description == """
                    {"_id":{"$numberLong":"9"},"n":{"$numberLong":"42"},\
                    "any":[{"$numberDecimal":"1.5"},{"$binary":{"base64":"AQI=","subType":"00"}}],\
                    "when":{"$date":{"$numberLong":"-1005"}}}
                    """)
            #expect(record.file == file && record.className == IngestModel.table)
        }

        @Test func theDatabaseFileHasTheClassWithoutObjects() throws {
            try integrate([.createObject(IngestModel.object(1))] + SimpleChanges.create(1).instructions, 2)
            let newest = try PartitionDocuments(folder: folder.path).follow(partition.beginDocuments())
            #expect(newest == partition.newest)
            let path = PartitionDocuments.path(in: folder.path)
            let snapshot = try Database.open(path, readOnly: true).snapshot(label: "test")
            #expect(try snapshot.table(named: "class_Reading")?.kind == .asymmetric)
            #expect(try snapshot.table(named: "class_Reading")?.count() == 0)
            #expect(try snapshot.table(named: "class_Note")?.count() == 1)
        }

        // MARK: Rejections

        private func error(_ instructions: [Instruction], _ version: UInt64 = 2) -> SessionError? {
            do {
                try partition.integrate([UploadedChange(Changeset(instructions), version, from: file)], from: file)
                return nil
            } catch {
                return error
            }
        }

        @Test func onlyCreationsAreAllowed() throws {
            try integrate([.createObject(IngestModel.object(1))], 2)
            let version = partition.newest
            let model = try partition.model()
            let created: [Instruction] = [.createObject(IngestModel.object(2))] + SimpleChanges.create(5).instructions
            let link = SyncValue.link(SimpleChanges.object(5))
            let refused: [(Int64, [Instruction])] = [
                (1, [.eraseObject(IngestModel.object(1))]), (1, [IngestModel.set(1, "n", .int(1))]),
                (2, [.eraseObject(IngestModel.object(2))]), (2, [IngestModel.set(2, "any", link)]),
                (7, [.change(Place(IngestModel.object(7), "n"), .addInteger(1))]),
            ]
            for (key, instructions) in refused {
                let change = UploadedChange(Changeset(created + instructions), 3, from: file)
                do {
                    try partition.integrate([change], from: file)
                    Issue.record("\(instructions) was accepted")
                } catch {
                    #expect(error.code == .writeNotAllowed)
                    #expect(error.serverError.rejection?.updates.map(\.object) == [IngestModel.object(key)])
                    #expect(error.serverError.rejection?.clientVersion == 3)
                    #expect(error.serverError.json["rejectedUpdates"]?.elements?.count == 1)
                    #expect(error.serverError.json["compensatingWriteServerVersion"] == nil)
                }
            }
            #expect(try partition.model() == model && partition.newest == version)
            try partition.flush()
            #expect(feed.newestSequence == 1 && partition.file(file)?.upload.clientVersion == 2)
        }

        @Test func rejectedObjectsAreSkippedOnceTheirClientHasTheError() throws {
            let changes = [
                [.createObject(IngestModel.object(1)), .eraseObject(IngestModel.object(9))],
                [.createObject(IngestModel.object(2))], [IngestModel.set(8, "n", .int(1))],
            ].enumerated().map { UploadedChange(Changeset($1), UInt64($0 + 2), from: file) }
            for _ in 0..<2 {
                let error = #expect(throws: SessionError.self) { try partition.integrate(changes, from: file) }
                #expect(error?.code == .writeNotAllowed)
                let rejection = error?.serverError.rejection
                #expect(rejection?.updates.map(\.object) == [IngestModel.object(9), IngestModel.object(8)])
                #expect(rejection?.clientVersion == 4)
                // The client continues without a reset, which would send the objects again.
                #expect(error?.serverError.action == .warning && error?.serverError.canTryAgain == true)
                #expect(partition.file(file)?.upload.clientVersion == 1)
            }
            partition.didReportRejection(through: 4, to: file)
            try partition.integrate(changes, from: file)
            try partition.flush()
            #expect(partition.file(file)?.upload.clientVersion == 4 && feed.newestSequence == 2)
            #expect(throws: SessionError.self) {
                try partition.integrate(
                    [UploadedChange(Changeset([.eraseObject(IngestModel.object(1))]), 5, from: file)], from: file)
            }
        }

        @Test func anObjectWithAPropertyThatTheUserCannotWriteIsRejected() throws {
            var rights = UserRights.unrestricted
            rights.others.writableFields = .allBut(["note"])
            partition.rights = GrantedRights()
            partition.rights?.grant(rights, to: "")
            try integrate([.createObject(IngestModel.object(1)), IngestModel.set(1, "n", .int(1))], 2)
            let refused = error(
                [
                    .createObject(IngestModel.object(2)), IngestModel.set(2, "note", .string("a")),
                ], 3)
            #expect(refused?.serverError.rejection?.updates.map(\.object) == [IngestModel.object(2)])
            #expect(refused?.message.hasSuffix("the user can't write the property 'note'") == true)
            #expect(feed.newestSequence == 1)
        }

        @Test func objectsThatAWriteFilterExcludesAreRejected() throws {
            var rights = UserRights.unrestricted
            rights.others.write = .matching("n > 3 AND spot.lat < 10")
            partition.rights = GrantedRights()
            partition.rights?.grant(rights, to: "")
            func reading(_ key: Int64, n: Int64, lat: Double) -> [Instruction] {
                let spot = Path.one(.key("lat"))
                return [
                    .createObject(IngestModel.object(key)), IngestModel.set(key, "n", .int(n)),
                    IngestModel.set(key, "spot", .object), IngestModel.set(key, "spot", .double(lat), spot),
                ]
            }
            try integrate(reading(1, n: 5, lat: 1), 2)
            #expect(feed.newestSequence == 1)
            let refused = error(reading(2, n: 5, lat: 10) + reading(3, n: 4, lat: 9) + reading(4, n: 3, lat: 1), 3)
            let updates = refused?.serverError.rejection?.updates ?? []
            #expect(updates.map(\.object) == [IngestModel.object(2), IngestModel.object(4)])
            #expect(updates.allSatisfy { $0.reason == "the user can't write the object" })
            #expect(feed.newestSequence == 1)
        }

        @Test func aForbiddenObjectIsRejectedWithTheWholeChange() throws {
            partition.rights = GrantedRights()
            let version = partition.newest
            let change = UploadedChange(
                Changeset(SimpleChanges.create(5).instructions + [.createObject(IngestModel.object(1))]), 2, from: file)
            do {
                try partition.integrate([change], from: file)
                Issue.record("the object was accepted")
            } catch {
                #expect(error.code == .writeNotAllowed)
                #expect(error.serverError.rejection?.updates.map(\.object) == [IngestModel.object(1)])
                #expect(error.serverError.rejection?.clientVersion == 2)
            }
            try partition.flush()
            #expect(partition.newest == version && feed.newestSequence == 0)
            #expect(partition.file(file)?.upload.clientVersion == 1)
        }

        @Test func malformedObjectsAreRejectedWithTheWholeChange() throws {
            let model = try partition.model()
            let object = IngestModel.object(2)
            let bad: [[Instruction]] = [
                [.createObject(ObjectReference(IngestModel.table, .string("x")))],
                [.createObject(object), .createObject(object)],
                [.createObject(object), IngestModel.set(2, "none", .int(1))],
                [.createObject(object), IngestModel.set(2, "n", .string("x"))],
                [.createObject(object), IngestModel.set(2, "n", .null)],
                [.createObject(object), IngestModel.set(2, "tags", .string("x"))],
                [.createObject(object), IngestModel.set(2, "spot", .double(1), .one(.key("lat")))],
                [
                    .createObject(object),
                    .change(Place(object, "tags", .one(.index(0))), .insert(.string("x"), priorSize: 3)),
                ],
                [
                    .createObject(object),
                    .change(Place(object, "any", Path(Array(repeating: .index(0), count: 5000))), .addInteger(1)),
                ],
                [IngestModel.column("link", .link, isNullable: true, .single, target: SimpleChanges.table)],
                [
                    .addColumn(
                        ColumnDefinition(
                            ColumnReference(SimpleChanges.table, "link"), .link, isNullable: true, .single,
                            target: IngestModel.table))
                ],
            ]
            for instructions in bad {
                let created = SimpleChanges.create(5).instructions + [.createObject(IngestModel.object(1))]
                #expect(error(created + instructions)?.code == .badChangeset, "\(instructions)")
                #expect(try partition.model() == model)
            }
            try partition.flush()
            #expect(feed.newestSequence == 0)
            try integrate([.createObject(object)], 2)
            #expect(feed.newestSequence == 1)
        }

        @Test func aDocumentOfMoreThan16MiBIsRejected() throws {
            let text = SyncValue.string(Text(String(repeating: "x", count: 9 << 20)))
            let place = Place(IngestModel.object(1), "tags", .one(.index(0)))
            let instructions: [Instruction] = [
                .createObject(IngestModel.object(1)), .change(place, .insert(text, priorSize: 0)),
                .change(place, .insert(text, priorSize: 1)),
            ]
            #expect(error(instructions)?.code == .badChangeset)
            #expect(error(Array(instructions.dropLast())) == nil)
        }

        @Test func changesBeforeARejectedOneAreIngested() throws {
            let changes = [
                [.createObject(IngestModel.object(1))], [.eraseObject(IngestModel.object(1))],
                [Instruction.createObject(IngestModel.object(2))],
            ].enumerated().map { UploadedChange(Changeset($1), UInt64($0 + 2), from: file) }
            #expect(throws: SessionError.self) { try partition.integrate(changes, from: file) }
            try partition.flush()
            #expect(feed.newestSequence == 1 && partition.file(file)?.upload.clientVersion == 2)
        }

        @Test func aPartitionRejectsAsymmetricObjects() throws {
            let folder = try TemporaryFolder()
            let partition = try StoredPartition(folder: folder.path, partition: "string:p")
            let file = try partition.addFile().ident
            let changeset = Changeset(IngestModel.schema.instructions + [.createObject(IngestModel.object(1))])
            #expect(throws: SessionError.self) {
                try partition.integrate([UploadedChange(changeset, 1, from: file)], from: file)
            }
            #expect(partition.ingestFeed == nil)
        }

        /// Other clients have unseen changes, with which the rest of an upload is merged.
        @Test func theOtherChangesOfAnUploadAreMerged() throws {
            let other = try partition.addFile().ident
            try partition.integrate(
                [
                    UploadedChange(IngestModel.schema, 1, from: other),
                    UploadedChange(SimpleChanges.create(1), 2, from: other),
                    UploadedChange(SimpleChanges.insert("a", at: 0, of: 0, in: 1), 3, from: other),
                ], from: other)
            let insertion = SimpleChanges.insert("b", at: 0, of: 0, in: 1)
            let instructions =
                SimpleChanges.create(1).instructions + [.createObject(IngestModel.object(1))] + insertion.instructions
            try integrate(instructions, 2)
            let tags = try partition.model().content(at: Place(SimpleChanges.object(1), "tags"))
            // The insertion of "a" is the later one.
            #expect(tags == .list(["b", "a"].map { .value(.string($0)) }))
            #expect(feed.newestSequence == 1)
        }
    }
#endif
