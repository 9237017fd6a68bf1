// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmQuery
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    @Suite(.timeLimited) struct QueryRegistryTests {
        private static func restriction(_ text: String) throws -> QueryRestriction? {
            QueryRestriction(try SubscriptionQuery("Note", parsing: text).predicate)
        }

        @Test(arguments: [
            ("n == 5", "n", [5]), ("n IN {1, 2}", "n", [1, 2]),
            ("n == 1 OR n == 2 OR n IN {2, 3}", "n", [1, 2, 3]), ("n == 1 AND tags.@count > 2", "n", [1]),
            ("a IN {1, 2} AND n == 3", "n", [3]), ("(n == 1 AND a > 3) OR (n == 2 AND a < 3)", "n", [1, 2]),
        ])
        func equalityRestrictsAQueryToValues(_ text: String, _ field: String, _ values: [Int64]) throws {
            let restriction = try #require(try Self.restriction(text))
            #expect(restriction.field == Text(field))
            #expect(restriction.values == Set(values.map { .int($0) }))
        }

        @Test(arguments: [
            "TRUEPREDICATE", "n > 5", "NOT n == 5", "n != 5", "n == 1 OR a == 2", "n == 1 OR a > 2", "n == 1.5",
            "n == NULL", "name ==[c] 'a'", "ALL tags == 'a'", "home.city == 'a'", "tags.@count == 1", "n IN {1, 2.5}",
        ])
        func otherQueriesHaveNoRestriction(_ text: String) throws {
            #expect(try Self.restriction(text) == nil)
        }

        @Test func candidatesAreTheQueriesOnAnObjectsValues() throws {
            var registry = QueryRegistry()
            let texts = ["n == 1", "n == 2", "n IN {1, 3}", "a == 1", "n > 7"]
            for (index, text) in texts.enumerated() { registry.add(UInt64(index + 1), QueryName("Note", Text(text))) }
            func candidates(_ values: [String: Set<Int64>]) -> Set<UInt64> {
                registry.candidates(of: "Note") { field in values[field.string].map { Set($0.map { .int($0) }) } }
            }
            #expect(candidates(["n": [1], "a": [0]]) == [1, 3, 5])
            #expect(candidates(["n": [2, 3], "a": [1]]) == [2, 3, 4, 5])
            // The values of `a` have another type.
            #expect(candidates(["n": [9]]) == [4, 5])
            #expect(registry.candidates(of: "Other") { _ in [] } == [])
            let view = FileView(start: 1, queryVersion: 1, queries: ["Note": 3])
            registry.retain(view, of: 7)
            registry.retain(view, of: 7)
            registry.release(view, of: 7)
            #expect(registry.queries[3]?.files == [7: 1])
            registry.release(view, of: 7)
            #expect(candidates(["n": [3], "a": []]) == [5])
        }

        @Test func aChangeConcernsOnlyTheFilesWhoseViewsHaveItsObjects() throws {
            let folder = try TemporaryFolder()
            let partition = try StoredPartition(folder: folder.path + "/app", partition: "app", isFlexible: true)
            let files = try (0..<5).map { _ in try partition.addFile().ident }
            try partition.flush()
            func upload(_ changeset: Changeset, _ version: UInt64) throws {
                let base = partition.newest.version
                try partition.integrate(
                    [UploadedChange(changeset, version, from: files[0], basedOn: base)], from: files[0])
            }
            try upload(SimpleChanges.schema, 1)
            #expect(partition.takeConcernedFiles() == nil)
            for (file, query) in zip(files, ["TRUEPREDICATE", "n == 1", "n == 2", "n == 2 AND _id > 0", "n > 8"]) {
                let query = VersionedQuery(version: 1, text: #"{"Note":"\#(query)"}"#)
                _ = try partition.subscribe(file, to: query, at: partition.newest.version)
            }
            #expect(partition.takeConcernedFiles() == Set(files))
            try upload(SimpleChanges.create(1, n: 1), 2)
            #expect(partition.takeConcernedFiles() == [files[0], files[1]])
            #expect(partition.takeConcernedFiles() == [])
            try upload(SimpleChanges.set(2, of: 1), 3)
            #expect(partition.takeConcernedFiles() == [files[0], files[1], files[2], files[3]])
            try upload(SimpleChanges.insert("a", at: 0, of: 0, in: 1), 4)
            #expect(partition.takeConcernedFiles() == [files[0], files[2], files[3]])
            try upload(Changeset([.eraseObject(SimpleChanges.object(1))]), 5)
            #expect(partition.takeConcernedFiles() == [files[0], files[2], files[3]])
        }
    }
#endif
