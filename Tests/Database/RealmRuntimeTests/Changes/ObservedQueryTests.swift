// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime
import RealmStorage
import RealmTestSupport
import Testing

/// The elements of queries in versions, and their changes, without models.
@Suite struct ObservedQueryTests {
    private let database: RuntimeDatabase
    private let reader: VersionReader
    private let (people, age, friends, ratings): (TableKey, ColumnKey, ColumnKey, ColumnKey)
    private let keys: [ObjectKey]

    init() throws {
        database = try RuntimeDatabase()
        let transaction = try database.host.database.beginWrite()
        let schema = transaction.schema
        let people = try schema.addTable("class_Person")
        let age = try schema.addColumn("age", .int, to: people)
        friends = try schema.addColumn("friends", .link, [.list], target: people, to: people)
        ratings = try schema.addColumn("ratings", .int, [.dictionary], to: people)
        let keys = try (0..<4).map { number in
            let key = try transaction.createObject(in: people)
            try transaction.set(.int(Int64(number)), age, of: key, in: people)
            return key
        }
        let list = transaction.list(at: CollectionPath(friends, of: keys[0], in: people))
        for key in keys.dropFirst().reversed() { _ = try list.insert(.link(key), at: 0) }
        _ = try transaction.dictionary(at: CollectionPath(ratings, of: keys[0], in: people)).set(.int(5), forKey: "a")
        try transaction.commit()
        (self.people, self.age, self.keys) = (people, age, keys)
        reader = try RuntimeInstance(database).reader
    }

    private func version() throws -> ObservedVersion {
        ObservedVersion(try database.host.database.snapshot(label: "test"), like: reader)
    }

    private func write(_ body: (WriteTransaction) throws -> Void) throws {
        let transaction = try database.host.database.beginWrite()
        try body(transaction)
        try transaction.commit()
    }

    private func older(than limit: Int64) throws -> ResultsStep {
        .filter(try Query.compile(Predicate(parsing: "age > \(limit)"), on: people, in: version().snapshot))
    }

    @Test func elementsOfEachBase() throws {
        let version = try version()
        let friendsPath = CollectionPath(friends, of: keys[0], in: people)
        let ratingsPath = CollectionPath(ratings, of: keys[0], in: people)
        let old = try older(than: 1)
        guard case .table = ObservedQuery(.table, elements: people, steps: []).contents(in: version),
            case .keys(let filtered) = ObservedQuery(.table, elements: people, steps: [old]).contents(in: version),
            case .keys(let listed) = ObservedQuery(.collection(friendsPath), elements: people, steps: [.limit(2)])
                .contents(in: version),
            case .values(let rated) = ObservedQuery(.collection(ratingsPath), elements: nil, steps: [])
                .contents(in: version)
        else { throw Failure("contents of another kind") }
        #expect(filtered == [keys[2], keys[3]])
        #expect(listed == [keys[1], keys[2]])
        #expect(rated == [.int(5)])
        let table = try #require(try version.snapshot.table(people))
        let backlink = try #require(table.backlinkColumns.first?.key)
        let inverse = ObservedQuery(.backlinks(of: keys[3], in: people, backlink), elements: people, steps: [])
        guard case .keys(let owners) = inverse.contents(in: version) else { throw Failure("no keys") }
        #expect(owners == [keys[0]])
    }

    @Test func aQueryWhoseSourceWasDeletedIsEmpty() throws {
        let path = CollectionPath(friends, of: keys[0], in: people)
        let query = ObservedQuery(.collection(path), elements: people, steps: [])
        let before = try version()
        try write { _ = try $0.removeObject(keys[0], from: people) }
        let after = try version()
        #expect(query.contents(in: before).count == 3 && query.contents(in: after).count == 0)
        let changes = try ObservedChanges(from: before, to: after)
        let detector = QueryDetector(query, filter: nil)
        #expect(try detector.mayHaveChanged(changes))
        guard case .positions(let change)? = try detector.find(changes, nil).change else { throw Failure("no change") }
        #expect(change == PositionChange(deletions: [0, 1, 2]))
    }

    @Test func aFilterLosesAndGetsElements() throws {
        let detector = QueryDetector(
            ObservedQuery(.table, elements: people, steps: [try older(than: 1)]), filter: nil)
        let before = try version()
        try write {
            try $0.set(.int(9), age, of: keys[0], in: people)
            try $0.set(.int(0), age, of: keys[3], in: people)
        }
        let found = try detector.find(ObservedChanges(from: before, to: try version()), nil)
        guard case .positions(let change)? = found.change, case .keys(let now)? = found.contents else {
            throw Failure("no change")
        }
        #expect(change == PositionChange(deletions: [1], insertions: [0]))
        #expect(now == [keys[0], keys[2]])
    }

    /// All elements are insertions in the version that first has the table.
    @Test func aQueryOfAMissingTableIsResolvedOnceTheTableExists() throws {
        let query = ObservedQuery { version, _ in
            guard let table = try? version.snapshot.table(named: "class_Late")?.key else { return nil }
            return (ObservedQuery(.table, elements: table, steps: []), nil)
        }
        let detector = QueryDetector(query, filter: nil)
        let first = try version()
        try write { _ = try $0.schema.addTable("class_Other") }
        let second = try version()
        #expect(try !detector.mayHaveChanged(ObservedChanges(from: first, to: second)))
        try write {
            let table = try $0.schema.addTable("class_Late")
            for _ in 0..<2 { _ = try $0.createObject(in: table) }
        }
        let changes = try ObservedChanges(from: second, to: try version())
        #expect(try detector.mayHaveChanged(changes))
        guard case .positions(let change)? = try detector.find(changes, nil).change else { throw Failure("no change") }
        #expect(change == PositionChange(insertions: [0, 1]))
    }
}
