// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage
import RealmSync
import RealmSyncCore

/// The documents of a flexible app, on which queries are evaluated.
///
/// They contain the newest version, also while it isn't durable: then in a transaction that is committed after the log.
/// Used by one thread at a time.
final class QueryDocuments {
    private let documents: PartitionDocuments
    /// The version of the file after the last commit.
    private var committed: UInt64
    private var transaction: WriteTransaction?
    /// The schema, which only `apply` changes.
    private var schema = QueryForm.Schema()
    /// The compiled filters; nil if one doesn't fit the schema. An upload uses a few of them.
    private var filters: [QueryName: Query?] = [:]
    /// The numbers of evaluations and compilations of registered queries since the documents were opened.
    private(set) var evaluationCount = 0
    private(set) var compilationCount = 0

    private static let maxFilters = 10_000

    /// Brings the documents up to date.
    ///
    /// - Parameter changes: Versions that are durable in the log.
    /// - Throws: `StorageError`, `StateError`.
    init(folder: String, _ changes: DocumentChanges) throws {
        documents = try PartitionDocuments.replacingDamaged(in: folder) {
            let documents = try PartitionDocuments(folder: folder)
            _ = try documents.follow(changes)
            return documents
        }
        committed = try documents.database.snapshot(label: "queries").version
    }

    /// False after an error, which may have left part of a change.
    private(set) var isValid = true

    func invalidate() { isValid = false }

    // MARK: Changes

    private func begin() throws -> WriteTransaction {
        if let transaction { return transaction }
        let begun = try documents.database.beginWrite()
        guard begun.baseVersion == committed else {
            begun.rollback()
            throw StorageError(
                .writeRefused, "another program has changed the documents", path: documents.database.path)
        }
        transaction = begun
        return begun
    }

    /// - Throws: `SessionError`. Then the documents must be opened again.
    func apply(_ changeset: Changeset) throws {
        if changeset.instructions.contains(where: { $0.object == nil }) {
            (schema, filters) = (QueryForm.Schema(), [:])
        }
        try ChangesetApplier(try begin()).apply(changeset)
    }

    var isCommitDue: Bool { transaction != nil }

    /// - Parameter position: The newest version, which must be durable in the log.
    func commit(_ position: SaltedVersion) throws {
        let transaction = try begin()
        self.transaction = nil
        defer { if transaction.isOpen { transaction.rollback() } }
        try DocumentWriter(transaction).setPosition(position)
        committed = try transaction.commit()
    }

    /// Discards the changes since the last commit, which must not concern the schema.
    func rollBack() {
        transaction?.rollback()
        transaction = nil
    }

    /// The documents after the last commit.
    func snapshot() throws -> Snapshot { try documents.database.snapshot(label: "documents") }

    // MARK: Queries

    private func source() throws -> any TableSource {
        if let transaction { return transaction }
        return try documents.database.snapshot(label: "queries")
    }

    private func table(_ className: Text, in source: any TableSource) throws -> Table? {
        try source.table(named: FileFormat.classPrefix + className.string)
    }

    /// Compiles a query that isn't registered yet.
    ///
    /// - Throws: `SessionError` with `badQuery`, `StorageError`.
    func compile(_ query: SubscriptionQuery) throws -> Query {
        let className = query.className
        let source = try source()
        guard let table = try table(className, in: source) else {
            throw SessionError(.badQuery, "the class '\(className)' doesn't exist")
        }
        do { return try Query.compile(query.predicate, on: table.key, in: source, dialect: .query) } catch {
            guard let error = error as? PredicateError else { throw error }
            throw SessionError(.badQuery, "the query for '\(className)' is invalid: \(error.message)")
        }
    }

    /// A query whose results are those of its restriction is evaluated only for bootstraps.
    private func compiled(_ query: QueryRegistry.Query) throws -> Query? {
        if query.restriction?.isExact == true { return try newlyCompiled(query.name) }
        let compiled = try query.form.compiled(for: schema) {
            compilationCount += 1
            return try newlyCompiled(query.name)
        }
        assert(isCurrent(compiled, query.name), "the schema has changed")
        return compiled
    }

    private func compiledFilter(_ name: QueryName) throws -> Query? {
        if let known = filters[name] { return known }
        let result = try newlyCompiled(name)
        if filters.count >= QueryDocuments.maxFilters { filters = [:] }
        filters[name] = .some(result)
        return result
    }

    private func isCurrent(_ known: Query?, _ name: QueryName) -> Bool {
        do { return try (newlyCompiled(name) == nil) == (known == nil) } catch { return true }
    }

    private func newlyCompiled(_ name: QueryName) throws -> Query? {
        do { return try compile(try SubscriptionQuery(name.className, parsing: name.text.string)) } catch {
            if error is SubscriptionError { return nil }
            guard (error as? SessionError)?.code == .badQuery else { throw error }
            return nil
        }
    }

    /// Existing objects of a class, in the order of their numbers.
    struct LocatedObjects {
        fileprivate(set) var numbers: [Int] = []
        fileprivate(set) var keys: [ObjectKey] = []

        /// Returns the objects with some of the numbers.
        fileprivate func with(_ some: NumberSet) -> LocatedObjects {
            var result = LocatedObjects()
            for number in some.numbers {
                guard let index = index(of: number) else { continue }
                result.numbers.append(number)
                result.keys.append(keys[index])
            }
            return result
        }

        private func index(of number: Int) -> Int? {
            let index = numbers.partitioningIndex { $0 >= number }
            return index < numbers.count && numbers[index] == number ? index : nil
        }
    }

    typealias Located = [Text: LocatedObjects]

    /// Returns the values of objects for a property, or `nil` if they have no order in which queries compare them.
    func values(_ field: Text, of className: Text, _ objects: LocatedObjects) throws -> ClassQueries.Values? {
        guard let table = try table(className, in: try source()), let column = table.column(named: field.string),
            let family = ValueFamily(column)
        else { return nil }
        return ClassQueries.Values(
            family: family, values: try objects.keys.map { try table.value(column.key, of: $0).ordered })
    }

    /// The state contains the same objects. An object that it lacks may have a key of the wrong type.
    func locate(_ objects: [ObjectReference], _ state: PartitionObjects) throws -> Located {
        let source = try source()
        var located: Located = [:]
        var tables: [Text: Table] = [:]
        for (number, object) in objects.enumerated() where try state.holds(object) {
            if tables[object.table] == nil { tables[object.table] = try table(object.table, in: source) }
            guard let table = tables[object.table], let stored = SyncNames.storedKey(object.key),
                let key = try table.object(primaryKey: stored)
            else { continue }
            located[object.table, default: LocatedObjects()].numbers.append(number)
            located[object.table]?.keys.append(key)
        }
        return located
    }

    /// Returns the numbers of the objects that match.
    ///
    /// - Parameter some: The numbers of the objects to evaluate; nil for all.
    func matches(
        _ query: QueryRegistry.Query, among some: NumberSet? = nil, in located: Located
    ) throws -> NumberSet {
        guard let all = located[query.className], let compiled = try compiled(query) else { return NumberSet() }
        let objects = some.map(all.with) ?? all
        note(query, objects.keys.count)
        return try filter(objects, compiled)
    }

    private func note(_ query: QueryRegistry.Query, _ objects: Int) {
        evaluationCount += 1
        query.form.cost.add(objects)
    }

    /// Returns the numbers of the objects of a class that a filter contains. One that doesn't fit the schema contains
    /// none.
    func matches(_ filter: DocumentFilter, of className: Text, in located: Located) throws -> NumberSet {
        guard let objects = located[className] else { return NumberSet() }
        switch filter {
        case .none: return NumberSet()
        case .all:
            var all = NumberSet()
            for number in objects.numbers { all.insert(number) }
            return all
        case .matching(let text):
            guard let query = try compiledFilter(QueryName(className, text)) else { return NumberSet() }
            return try self.filter(objects, query)
        }
    }

    private func filter(_ objects: LocatedObjects, _ query: Query) throws -> NumberSet {
        var result = NumberSet()
        let found = try query.filter(objects.keys, in: try source())
        // They are in the order of the objects, each of which occurs once.
        var rest = found[...]
        for (number, key) in zip(objects.numbers, objects.keys) where rest.first == key {
            result.insert(number)
            rest.removeFirst()
        }
        return result
    }

    /// Returns the keys of all objects that match, in the order of the file.
    func keys(_ query: QueryRegistry.Query) throws -> [PrimaryKey] {
        guard let compiled = try compiled(query) else { return [] }
        let source = try source()
        guard let table = try table(query.className, in: source) else { return [] }
        note(query, try table.count())
        guard let key = table.primaryKey, let column = table.column(key) else { return [] }
        let found = try compiled.objects(in: source).sorted()
        var result: [PrimaryKey] = []
        result.reserveCapacity(found.count)
        try table.clusters.forEachLeaf(holding: found) { leaf, rows in
            let keys = try leaf.column(column.leafIndex, column.leafKind)
            for row in rows { result.append(try SyncNames.primaryKey(try keys.value(at: row))) }
        }
        return result
    }
}
