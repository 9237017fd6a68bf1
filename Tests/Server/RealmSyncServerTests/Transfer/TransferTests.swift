// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmTestSupport
    import RealmTools
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Imports of files into partitions, and exports.
    @Suite(.timeLimited, .scope(TestCleanup.perform)) struct TransferTests: FolderSuite {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func makeFile(_ name: String, _ changeset: Changeset) throws -> String {
            let database = try Database.open(path(name))
            try database.write { try ChangesetApplier($0).apply(changeset) }
            return path(name)
        }

        @discardableResult
        private func importFile(
            _ path: String, className: String? = nil, into partition: String = "p"
        ) throws -> PartitionImport.Report {
            try FileImport.read(path, className: className, data: .folder(data), app: "app", partition: partition)
        }

        @discardableResult
        private func export(_ name: String, of partition: String = "p") throws -> Int {
            let count = try PartitionExport.write(data: .folder(data), app: "app", partition: partition, to: path(name))
            try FileAudit.requireCleanTwice(path: path(name))
            return count
        }

        private func write(_ lines: String, _ name: String = "lines.json") throws -> String {
            try folder.write(lines, name)
        }

        // MARK: Files

        @Test func importedObjectsAreExportedUnchanged() throws {
            let file = try makeFile("first.realm", Samples.all)
            #expect(try importFile(file) == PartitionImport.Report(objects: 4))
            #expect(try export("second.realm") == 4)
            #expect(difference("first.realm", "second.realm") == "")
            #expect(try importFile(file).objects == 4)
            #expect(try export("third.realm") == 4)
            #expect(difference("first.realm", "third.realm") == "")
            #expect(throws: StorageError.self) { try export("third.realm") }
        }

        @Test func manyObjectsAreImportedInParts() throws {
            var changes = SimpleChanges.schema.instructions
            for key in 0..<3000 {
                changes += SimpleChanges.create(Int64(key)).instructions
                changes +=
                    SimpleChanges.insert(
                        Text(String(repeating: "tag \(key) ", count: 20)), at: 0, of: 0, in: Int64(key)
                    ).instructions
            }
            let file = try makeFile("many.realm", Changeset(changes))
            #expect(try importFile(file).objects == 3000)
            let partition = try StoredPartition(folder: data + "/apps/app/partitions/string_p", partition: "string:p")
            #expect(partition.newest.version > 4)
            #expect(try export("many2.realm") == 3000)
            #expect(difference("many.realm", "many2.realm") == "")
        }

        @Test func anImportOfADatabaseReportsItsProgress() throws {
            let objects = (0..<20_500).flatMap { SimpleChanges.create(Int64($0)).instructions }
            let file = try makeFile("many.realm", Changeset(SimpleChanges.schema.instructions + objects))
            var reports: [ImportProgress] = []
            let report = try FileImport.read(
                file, className: nil, data: .folder(data), app: "app", partition: "p"
            ) { reports.append($0) }
            #expect(report.objects == 20_500 && reports.map(\.documents) == [10_000, 20_000])
            for report in reports {
                #expect(!report.isChecking && report.bytes > 0 && report.bytes < report.totalBytes)
            }
        }

        @Test func classesNeedAPrimaryKey() throws {
            let database = try Database.open(path("bad.realm"))
            try database.write { transaction in
                let table = try transaction.schema.addTable("class_Dog")
                try transaction.schema.addColumn("name", .string, [], to: table)
            }
            #expect {
                try importFile(path("bad.realm"))
            } throws: {
                "\($0)".contains("the class 'Dog' has no primary key '_id'")
            }
            #expect(throws: ServerFailure.self) { try export("none.realm") }
        }

        @Test func partitionsHaveNames() throws {
            let file = try makeFile("first.realm", Samples.all)
            for name in ["5", "\"5\"", "null", "Übung/1", #"{"$oid":"0102030405060708090a0b0c"}"#] {
                try importFile(file, into: name)
            }
            let folders = try FileManager.default.contentsOfDirectory(atPath: data + "/apps/app/partitions")
            #expect(
                folders.sorted() == [
                    "int_5", "null_null", "objectId_0102030405060708090a0b0c", "string_%c3%9cbung%2f1", "string_5",
                ])
            #expect {
                try export("none.realm", of: "6")
            } throws: {
                "\($0)".contains("no partition int:6 of the app 'app'")
            }
            #expect(!FileManager.default.fileExists(atPath: path("none.realm")))
        }

        // MARK: Servers

        /// A server that has received one note, and the client that uploaded it.
        private func serverWithNote() async throws -> (TestServer, MessageClient) {
            let server = try await TestServer()
            let client = try await MessageClient(port: server.port)
            _ = try await client.begin("\"p\"")
            _ = try await client.download()
            try await client.upload([SimpleChanges.schema, SimpleChanges.create(1)], first: 1)
            try await client.waitForUpload(2)
            return (server, client)
        }

        @Test(.embeddedStore) func aServerThatRunsIsReadAndNotWritten() async throws {
            let (server, _) = try await serverWithNote()
            let file = path("running.realm")
            #expect(
                try PartitionExport.write(
                    data: TestDatabases.data(of: server.folder.path), app: "app", partition: "p", to: file) == 1)
            #expect {
                _ = try FileImport.read(
                    file, className: nil, data: TestDatabases.data(of: server.folder.path), app: "app", partition: "p")
            } throws: {
                "\($0)".contains("Another server has the folder")
            }
            try await server.stop()
            #expect(
                try FileImport.read(
                    file, className: nil, data: TestDatabases.data(of: server.folder.path), app: "app", partition: "q"
                ).objects == 1)
            let again = try await TestServer(server.folder)
            let reader = try await MessageClient(port: again.port)
            _ = try await reader.begin("\"q\"")
            var model = SyncModel()
            for entry in try await reader.download().entries {
                try model.apply(try Changeset(decoding: entry.changeset))
            }
            #expect(model.tables["Note"]?.objects.count == 1)
        }

        /// The files of a generation may be removed while they are read. Only those of the newest one count.
        @Test func anExportReadsTheNewestGeneration() throws {
            let file = try makeFile("first.realm", Samples.all)
            try importFile(file)
            let partition = data + "/apps/app/partitions/string_p"
            do {
                let stored = try StoredPartition(folder: partition, partition: "string:p")
                try stored.compact()
            }
            #expect(try export("second.realm") == 4)
            #expect(difference("first.realm", "second.realm") == "")
            // Without its log, a generation has the state of its snapshot.
            try FileManager.default.removeItem(atPath: partition + "/log-0000000000000001")
            #expect(try export("third.realm") == 4)
            // A damaged file is an error, not a smaller export.
            var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: partition + "/snapshot-0000000000000001")))
            bytes[bytes.count / 2] ^= 1
            try Data(bytes).write(to: URL(fileURLWithPath: partition + "/snapshot-0000000000000001"))
            #expect(throws: StoreError.self) { try export("fourth.realm") }
            #expect(!FileManager.default.fileExists(atPath: path("fourth.realm")))
        }

        // MARK: Documents

        /// The added object shows that the documents are copied, and not created from the log.
        @Test func anExportIsACopyOfTheDocumentsWithTheLaterChanges() throws {
            try importFile(try makeFile("first.realm", Samples.all))
            let partition = data + "/apps/app/partitions/string_p"
            let update = DocumentsUpdate(try StoredPartition(folder: partition, partition: "string:p"))
            update.run(OpenDocuments(limit: 1))
            #expect(try update.result.get() != nil)
            #expect(try export("second.realm") == 4)
            #expect(difference("first.realm", "second.realm") == "")
            try Database.open(PartitionDocuments.path(in: partition)).write { transaction in
                let writer = DocumentWriter(transaction)
                let position = try writer.position()
                for changeset in [SimpleChanges.schema, SimpleChanges.create(1)] {
                    try ChangesetApplier(transaction).apply(changeset)
                }
                try writer.setPosition(position)
            }
            #expect(try export("third.realm") == 5)
            try importFile(
                try makeFile(
                    "more.realm",
                    Changeset(
                        SimpleChanges.schema.instructions + SimpleChanges.create(2).instructions)))
            #expect(try export("fourth.realm") == 6)
            try Data(repeating: 7, count: 4096).write(to: URL(fileURLWithPath: PartitionDocuments.path(in: partition)))
            #expect(try export("fifth.realm") == 5)
        }

        @Test func toolsReadTheDocumentsWhileTheServerRuns() async throws {
            let (server, client) = try await serverWithNote()
            let file = PartitionDocuments.path(in: server.folder.path + "/apps/app/partitions/string_p")
            let old = try await notes(1, in: file)
            try await client.upload([SimpleChanges.create(2)], first: 3)
            try await client.waitForUpload(3)
            let new = try await notes(2, in: file)
            // The server has preserved the version that is read.
            #expect(try old.table(named: "class_Note")?.count() == 1)
            #expect(RealmTool.run(["info", file], output: { _ in }, errors: { _ in }) == 0)
            #expect(
                try PartitionExport.write(
                    data: TestDatabases.data(of: server.folder.path), app: "app", partition: "p",
                    to: path("running.realm")) == 2)
            try await server.stop()
            #expect(!server.log.text.contains("not up to date"), "\(server.log.text)")
            #expect(try new.table(named: "class_Note")?.count() == 2)
            try FileAudit.requireClean(path: file)
        }

        /// Waits until the documents contain `count` notes.
        private func notes(_ count: Int, in file: String) async throws -> Snapshot {
            let end = ContinuousClock.now + .seconds(1200)
            while ContinuousClock.now < end {
                if let snapshot = try? Database.open(file, readOnly: true, joining: .always).snapshot(),
                    try snapshot.table(named: "class_Note")?.count() == count
                {
                    return snapshot
                }
                try await Task.sleep(for: .milliseconds(50))
            }
            throw Failure("the documents don't have \(count) notes")
        }

        // MARK: Lines

        @Test func linesBecomeObjects() throws {
            try importFile(try makeFile("schema.realm", Samples.schema))
            let file = try write("\u{FEFF}" + Samples.lines)
            let report = try importFile(file)
            #expect(report == PartitionImport.Report(objects: 4, ignoredFields: ["Thing.unknown"]))
            _ = try makeFile("expected.realm", Samples.all)
            #expect(try export("lines.realm") == 4)
            #expect(difference("expected.realm", "lines.realm") == "")
        }

        @Test func oneClassMayBeNamedForAllLines() throws {
            try importFile(try makeFile("schema.realm", SimpleChanges.schema))
            let file = try write("{\"_id\": 1}\r\n\n{\"_id\": 2, \"n\": 7, \"tags\": [\"a\"]}")
            #expect(try importFile(file, className: "Note").objects == 2)
            #expect(try export("notes.realm") == 2)
        }

        @Test(arguments: [
            ("{", "isn't JSON"), ("[]", "isn't a JSON object"), (#"{"_id":1}"#, "names no class"),
            (#"{"$class":"Cat","_id":1}"#, "no class 'Cat'"), (#"{"$class":"Inner","_id":1}"#, "no objects of its own"),
            (#"{"$class":"Thing"}"#, "it has no '_id'"),
            (#"{"$class":"Thing","_id":"x"}"#, "isn't a valid '_id' of 'Thing'"),
            (#"{"$class":"Thing","_id":1}"#, "same class and _id"),
            (#"{"$class":"Thing","_id":9,"int":"x"}"#, "does not fit the property 'int' of 'Thing'"),
            (#"{"$class":"Thing","_id":9,"int":null}"#, "does not fit the property 'int'"),
            (#"{"$class":"Thing","_id":9,"ints":[1,"x"]}"#, "does not fit the property 'ints'"),
            (#"{"$class":"Thing","_id":9,"ints":7}"#, "does not fit the property 'ints'"),
            (#"{"$class":"Thing","_id":9,"links":[null]}"#, "does not fit the property 'links'"),
            (#"{"$class":"Thing","_id":9,"link":"x"}"#, "isn't a valid '_id' of 'Thing'"),
            (#"{"$class":"Thing","_id":9,"inner":4}"#, "does not fit the property 'inner'"),
            (#"{"$class":"Thing","_id":9,"any":{"$minKey":1}}"#, "no property holds"),
            (#"{"$class":"Thing","_id":9,"date":{"$date":"tomorrow"}}"#, "isn't Extended JSON"),
            (
                #"{"$class":"Thing","_id":9,"any":\#(Samples.deepList)}"#,
                "too many levels"
            ),
        ])
        func aBadLineIsNamedAndNothingIsKept(_ line: String, _ message: String) throws {
            try importFile(try makeFile("schema.realm", Samples.schema))
            try export("before.realm")
            let file = try write("{\"$class\":\"Thing\",\"_id\":1}\n{\"$class\":\"Thing\",\"_id\":2}\n\(line)\n")
            #expect {
                try importFile(file)
            } throws: {
                let text = "\($0)"
                return text.contains("lines.json', line 3: ") && text.contains(message)
            }
            try export("after.realm")
            #expect(difference("before.realm", "after.realm") == "")
        }

        // MARK: Commands

        @Test func theProgramHasBoth() throws {
            let program = try #require(BuiltProgram.path("realm-server"))
            func run(_ arguments: String...) throws -> (Int32, String) {
                let run = try FinishedProgram(program, arguments, errors: .included)
                return (run.status, run.output)
            }
            let file = try makeFile("first.realm", Samples.all)
            #expect(try run("import", "--data", data, "p", file) == (0, "\(file): 4 objects\n"))
            let copy = path("second.realm")
            #expect(try run("export", "--data", data, "p", copy) == (0, "\(copy): 4 objects\n"))
            #expect(difference("first.realm", "second.realm") == "")
            let (status, text) = try run("export", "--data", data, "p", copy)
            #expect(status != 0 && text.contains("there is a file already"), "\(text)")
            #expect(try run("--help").1.contains("serve (default)"))
        }
    }

    /// Objects of all types, as changes and as lines.
    private enum Samples {
        static let deepList = String(repeating: "[", count: 150) + String(repeating: "]", count: 150)

        static let types: [(Text, ValueType)] = [
            ("int", .int), ("bool", .bool), ("string", .string), ("data", .binary), ("date", .timestamp),
            ("float", .float), ("double", .double), ("decimal", .decimal), ("oid", .objectId), ("uuid", .uuid),
        ]

        static let schema: Changeset = {
            var changes: [Instruction] = [
                .addTable(TableDefinition("Thing", .topLevel(PrimaryKeyColumn("_id", .int, isNullable: false)))),
                .addTable(TableDefinition("Other", .topLevel(PrimaryKeyColumn("_id", .string, isNullable: true)))),
                .addTable(TableDefinition("Inner", .embedded)),
            ]
            func add(
                _ name: Text, _ type: ValueType, _ collection: CollectionKind = .single, isNullable: Bool = false,
                target: Text? = nil, to table: Text = "Thing"
            ) {
                changes.append(
                    .column(name, of: table, type, collection, isNullable: isNullable, target: target))
            }
            for (name, type) in types {
                add(name, type)
                add(Text("optional \(name)"), type, isNullable: true)
            }
            add("any", .null, isNullable: true)
            add("anys", .null, .list, isNullable: true)
            add("ints", .int, .list)
            add("texts", .string, .set)
            add("dates", .timestamp, .dictionary, isNullable: true)
            add("link", .link, isNullable: true, target: "Thing")
            add("links", .link, .list, target: "Thing")
            add("others", .link, .set, target: "Other")
            add("byName", .link, .dictionary, isNullable: true, target: "Other")
            add("inner", .link, isNullable: true, target: "Inner")
            add("inners", .link, .list, target: "Inner")
            add("text", .string, to: "Inner")
            add("inner", .link, isNullable: true, target: "Inner", to: "Inner")
            add("link", .link, isNullable: true, target: "Thing", to: "Inner")
            return Changeset(changes)
        }()

        static let thing = ObjectReference("Thing", .int(1))
        static let second = ObjectReference("Thing", .int(2))
        static let other = ObjectReference("Other", .string("o"))
        static let none = ObjectReference("Other", .null)

        static let all: Changeset = {
            var changes = schema.instructions
            for object in [thing, second, other, none] { changes.append(.createObject(object)) }
            func set(_ column: Text, _ value: SyncValue, _ path: [PathElement] = []) {
                changes.append(.change(Place(thing, column, Path(path)), .update(value, isDefault: false)))
            }
            func insert(_ column: Text, _ value: SyncValue, _ size: Int, _ path: [PathElement] = []) {
                changes.append(
                    .change(
                        Place(thing, column, Path(path + [.index(size)])), .insert(value, priorSize: size)))
            }
            let values: [SyncValue] = [
                .int(-5), .bool(true), .string("é\n"), .binary([1, 2]),
                .timestamp(Timestamp(seconds: -1, nanoseconds: -500_000_000)), .float(1.5), .double(0.1),
                .decimal(DecimalBits("1.25")!),
                .objectId(ObjectIdBytes(bytes: Array(1...12))), .uuid(UUIDBytes(bytes: Array(1...16))),
            ]
            for ((name, _), value) in zip(types, values) {
                set(name, value)
                set(Text("optional \(name)"), value)
            }
            set("any", .dictionary)
            set("any", .list, [.key("a")])
            insert("any", .link(other), 0, [.key("a")])
            insert("any", .null, 1, [.key("a")])
            set("any", .int(3), [.key("b")])
            for (index, value) in values.enumerated() where index != 5 {
                insert("anys", value, index > 5 ? index - 1 : index)
            }
            insert("ints", .int(1), 0)
            insert("ints", .int(1), 1)
            for text: Text in ["a", "b"] { changes.append(.change(Place(thing, "texts"), .setInsert(.string(text)))) }
            set("dates", .null, [.key("none")])
            set("dates", .timestamp(Timestamp(seconds: 7, nanoseconds: 1_000_000)), [.key("some")])
            set("link", .link(second))
            insert("links", .link(second), 0)
            insert("links", .link(thing), 1)
            changes.append(.change(Place(thing, "others"), .setInsert(.link(other))))
            set("byName", .link(other), [.key("x")])
            set("byName", .null, [.key("y")])
            set("inner", .object)
            set("inner", .string("deep"), [.key("text")])
            set("inner", .object, [.key("inner")])
            set("inner", .link(thing), [.key("inner"), .key("link")])
            insert("inners", .object, 0)
            insert("inners", .object, 1)
            set("inners", .string("two"), [.index(1), .key("text")])
            return Changeset(changes)
        }()

        static let lines: String = {
            let scalars = [
                "-5", "true", #""é\n""#, #"{"$binary":{"base64":"AQI=","subType":"00"}}"#,
                #"{"$date":{"$numberLong":"-1500"}}"#, "1.5", #"{"$numberDouble":"0.1"}"#,
                #"{"$numberDecimal":"1.25"}"#, #"{"$oid":"0102030405060708090a0b0c"}"#,
                #"{"$uuid":"01020304-0506-0708-090a-0b0c0d0e0f10"}"#,
            ]
            let members = zip(types, scalars).map { "\"\($0.0.0)\":\($0.1),\"optional \($0.0.0)\":\($0.1)" }
            let anys = scalars.enumerated().filter { $0.offset != 5 }.map(\.element)
            let rest = [
                #""any":{"a":[{"$ref":"Other","$id":"o"},null],"b":3}"#, "\"anys\":[\(anys.joined(separator: ","))]",
                #""ints":[1,{"$numberLong":"1"}],"texts":["b","a","b"]"#,
                #""dates":{"none":null,"some":{"$date":{"$numberLong":"7001"}}},"link":2,"links":[2,1]"#,
                #""others":["o"],"byName":{"x":"o","y":null},"unknown":5"#,
                #""inner":{"text":"deep","inner":{"link":1}},"inners":[{},{"text":"two"}]"#,
            ]
            let object = (["\"$class\":\"Thing\"", "\"_id\":1"] + members + rest).joined(separator: ",")
            return """
                {\(object)}
                {"_id": {"$numberInt": "2"}, "$class": "Thing"}

                {"$class": "Other", "_id": "o"}
                {"$class": "Other", "_id": null}
                """
        }()
    }
#endif
