// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    @Suite(.timeLimited) struct QueryRegistryTests {
        @Test func matchesAreTheQueriesOnAnObjectsValues() throws {
            var registry = QueryRegistry()
            let texts = ["n == 1", "n == 2", "n IN {1, 3}", "a == 1", "n > 7", "n > 7 AND a != 0", "a != 1"]
            for (index, text) in texts.enumerated() { registry.add(UInt64(index + 1), QueryName("Note", Text(text))) }
            func matches(_ values: [String: [Int64]]) -> ClassQueries.Matches {
                registry.matches(of: "Note", [0, 4]) { field in
                    values[field.string].map {
                        ClassQueries.Values(family: .number, values: $0.map { .int($0) })
                    }
                }
            }
            let (first, last, all) = (NumberSet([0]), NumberSet([4]), NumberSet([0, 4]))
            #expect(matches(["n": [1, 2], "a": [0, 1]]).results == [1: first, 2: last, 3: first, 4: last])
            #expect(matches(["n": [1, 2], "a": [0, 1]]).candidates == [7: all])
            #expect(matches(["n": [1, 8], "a": [1, 1]]).results == [1: first, 3: first, 4: all, 5: last])
            #expect(matches(["n": [1, 8], "a": [1, 1]]).candidates == [6: last, 7: all])
            // The values of `a` have another type.
            #expect(matches(["n": [9, 0]]).results == [5: first])
            #expect(matches(["n": [9, 0]]).candidates == [4: all, 6: first, 7: all])
            #expect(registry.matches(of: "Other", [0]) { _ in nil }.candidates.isEmpty)
            let view = FileView(start: 1, queryVersion: 1, queries: ["Note": 3])
            registry.retain(view, of: 7)
            registry.retain(view, of: 7)
            registry.release(view, of: 7)
            #expect(registry.queries[3]?.files == [7: 1])
            registry.release(view, of: 7)
            #expect(matches(["n": [3, 1], "a": [0, 0]]).results == [1: last])
        }

        /// A partition whose first file has all objects, and one with each of some queries.
        private struct App {
            let folder: TemporaryFolder
            let partition: StoredPartition
            private(set) var files: [UInt64] = []
            private var version: UInt64 = 0

            init(_ queries: [String], _ schema: Changeset = SimpleChanges.schema) throws {
                folder = try TemporaryFolder()
                partition = try StoredPartition(folder: folder.path + "/app", partition: "app", isFlexible: true)
                files = try (0...queries.count).map { _ in try partition.addFile().ident }
                try partition.flush()
                try upload(schema)
                #expect(partition.takeConcernedFiles() == nil)
                for (file, query) in zip(files, ["TRUEPREDICATE"] + queries) {
                    let query = VersionedQuery(version: 1, text: #"{"Note":"\#(query)"}"#)
                    _ = try partition.subscribe(file, to: query, at: partition.newest.version)
                }
                #expect(partition.takeConcernedFiles() == Set(files))
            }

            mutating func upload(_ changeset: Changeset) throws {
                version += 1
                let base = partition.newest.version
                try partition.integrate(
                    [UploadedChange(changeset, version, from: files[0], basedOn: base)], from: files[0])
            }

            /// Returns the number of evaluations of queries for a change, without that of the first file.
            mutating func evaluations(of changeset: Changeset) throws -> Int {
                let before = partition.queryDocuments?.evaluationCount ?? 0
                try upload(changeset)
                return (partition.queryDocuments?.evaluationCount ?? 0) - before - 1
            }

            /// The files of queries by the order of the queries.
            func takeConcernedQueries() -> Set<Int>? {
                partition.takeConcernedFiles().map { concerned in
                    Set(files.indices.filter { $0 > 0 && concerned.contains(files[$0]) }.map { $0 - 1 })
                }
            }
        }

        @Test func aChangeConcernsOnlyTheFilesWhoseViewsHaveItsObjects() throws {
            var app = try App(["n == 1", "n == 2", "n == 2 AND _id > 0", "n > 8"])
            try app.upload(SimpleChanges.create(1, n: 1))
            #expect(app.takeConcernedQueries() == [0])
            #expect(app.takeConcernedQueries() == [])
            try app.upload(SimpleChanges.set(2, of: 1))
            #expect(app.takeConcernedQueries() == [0, 1, 2])
            try app.upload(SimpleChanges.insert("a", at: 0, of: 0, in: 1))
            #expect(app.takeConcernedQueries() == [1, 2])
            try app.upload(Changeset([.eraseObject(SimpleChanges.object(1))]))
            #expect(app.takeConcernedQueries() == [1, 2])
        }

        @Test func aRangeIsMatchedWithoutAnEvaluation() throws {
            var app = try App((0..<500).map { "n > \($0)" })
            #expect(try app.evaluations(of: SimpleChanges.create(1, n: 100)) == 0)
            #expect(app.takeConcernedQueries() == Set(0..<100))
            #expect(try app.evaluations(of: SimpleChanges.add(3, to: 1)) == 0)
            #expect(app.takeConcernedQueries() == Set(0..<103))
            let members = try #require(try app.partition.history.versions.last?.views?.members)
            #expect(members.values.count { $0.before.isEmpty && !$0.after.isEmpty } == 3)
            #expect(try app.evaluations(of: SimpleChanges.insert("a", at: 0, of: 0, in: 1)) == 0)
            #expect(app.takeConcernedQueries() == Set(0..<103))
        }

        @Test func onlyQueriesWithAnObjectsValuesAreEvaluated() throws {
            var app = try App((0..<500).map { "n BETWEEN {\($0 * 10), \($0 * 10 + 9)} AND tags.@count != 9" })
            #expect(try app.evaluations(of: SimpleChanges.create(1, n: 15)) == 1)
            #expect(app.takeConcernedQueries() == [1])
            // Before the change, and after it.
            #expect(try app.evaluations(of: SimpleChanges.set(25, of: 1)) == 2)
            #expect(app.takeConcernedQueries() == [1, 2])
            #expect(try app.evaluations(of: SimpleChanges.insert("a", at: 0, of: 0, in: 1)) == 2)
        }

        @Test func aQueryOnOtherPropertiesIsEvaluatedOnce() throws {
            var app = try App((0..<50).map { "n != \($0)" })
            #expect(try app.evaluations(of: SimpleChanges.create(1, n: 60)) == 50)
            #expect(try app.evaluations(of: SimpleChanges.set(3, of: 1)) == 100)
            #expect(try app.evaluations(of: SimpleChanges.insert("a", at: 0, of: 0, in: 1)) == 50)
            let created = Changeset(
                SimpleChanges.create(2).instructions + SimpleChanges.insert("b", at: 0, of: 1, in: 1).instructions)
            // The object that existed is evaluated before the change, and only the new one after it, also for the first
            // file.
            #expect(try app.evaluations(of: created) == 101)
            let members = try #require(try app.partition.history.versions.last?.views?.members)
            #expect(members.values.filter { $0.after == NumberSet([0, 1]) }.count == 49)
        }

        /// The constant of a query can be a text that the property's type makes a number.
        @Test func quotedNumbersMatch() throws {
            var app = try App(["n == '5'", "n > '5'", "n IN {'5', '6'}"])
            try app.upload(SimpleChanges.create(1, n: 5))
            #expect(app.takeConcernedQueries() == [0, 2])
            try app.upload(SimpleChanges.set(6, of: 1))
            #expect(app.takeConcernedQueries() == [0, 1, 2])
        }

        @Test func anObjectThatIsErasedAndCreatedIsEvaluatedAnew() throws {
            var app = try App(["n != 5", "n > 3", "n > 3 AND tags.@count == 0"])
            try app.upload(SimpleChanges.create(1, n: 7))
            _ = app.takeConcernedQueries()
            try app.upload(Changeset([.eraseObject(SimpleChanges.object(1)), .createObject(SimpleChanges.object(1))]))
            let members = try #require(try app.partition.history.versions.last?.views?.members)
            #expect(members.values.count { !$0.before.isEmpty } == 4)
            #expect(members.values.count { !$0.after.isEmpty } == 2)
        }

        @Test func anUploadThatConcernsManyQueriesIsLong() throws {
            var app = try App((0..<300).map { "n > \($0)" } + (0..<300).map { "n == \(-$0)" })
            try app.upload(SimpleChanges.create(1, n: 10))
            func effort(_ changeset: Changeset) -> UploadEffort {
                let entry = ClientMessage.Upload.Entry(
                    clientVersion: 3, serverVersion: app.partition.newest.version, timestamp: 1,
                    changeset: changeset.encoded())
                return app.partition.effort(of: [entry], from: app.files[0])
            }
            let insertion = SimpleChanges.insert("a", at: 0, of: 0, in: 1)
            #expect(effort(insertion) == .short && effort(SimpleChanges.set(-5, of: 1)) == .short)
            #expect(effort(SimpleChanges.set(280, of: 1)) == .long)
            #expect(effort(SimpleChanges.create(2, n: 280)) == .long)
            try app.upload(SimpleChanges.set(280, of: 1))
            #expect(effort(insertion) == .long && effort(SimpleChanges.create(2)) == .short)
            app.partition.queryDocuments?.invalidate()
            #expect(effort(SimpleChanges.create(2)) == .long)
        }

        @Test func queriesAreCompiledOnceForASchema() throws {
            var app = try App((0..<20).map { "n != \($0)" })
            try app.upload(SimpleChanges.create(1, n: 60))
            func compilations() -> Int { app.partition.queryDocuments?.compilationCount ?? 0 }
            let before = compilations()
            try app.upload(SimpleChanges.set(3, of: 1))
            #expect(compilations() == before)
            let column = ColumnDefinition(ColumnReference("Note", "later"), .int, isNullable: true, .single)
            try app.upload(Changeset([.addColumn(column)]))
            try app.upload(SimpleChanges.set(4, of: 1))
            #expect(compilations() == before + 21)
        }
    }
#endif
