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
    /// The compiled queries by id; nil if the query doesn't fit the schema.
    private var compiled: [UInt64: Compiled?] = [:]

    private static let maxCompiled = 100_000

    /// The effort for a query since the documents were opened.
    struct Cost {
        var evaluationCount = 0
        /// The number of objects on which it was evaluated.
        var objectCount = 0
    }

    private final class Compiled {
        let query: Query
        let fields: Set<Text>
        var cost: Cost

        init(_ query: Query, _ fields: Set<Text>, _ cost: Cost) {
            (self.query, self.fields, self.cost) = (query, fields, cost)
        }
    }

    /// The costs of queries that have to be compiled again.
    private var costs: [UInt64: Cost] = [:]

    /// Brings the documents up to date.
    ///
    /// - Parameter changes: Versions that are durable in the log.
    /// - Throws: `StorageError`, `StateError`.
    init(folder: String, _ changes: DocumentChanges) throws {
        documents = try PartitionDocuments(folder: folder)
        _ = try documents.follow(changes)
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
        if changeset.instructions.contains(where: { $0.object == nil }) { invalidateQueries() }
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

    private func compiled(_ query: QueryRegistry.Query) throws -> Compiled? {
        if let known = compiled[query.id] { return known }
        var result: Compiled?
        do {
            let parsed = try SubscriptionQuery(query.className, parsing: query.text.string)
            result = Compiled(try compile(parsed), parsed.fields, costs.removeValue(forKey: query.id) ?? Cost())
        } catch let error as SessionError {
            guard error.code == .badQuery else { throw error }
        } catch is SubscriptionError {}
        // Most are of queries that no file has any more.
        if compiled.count >= QueryDocuments.maxCompiled { (compiled, costs) = ([:], [:]) }
        compiled[query.id] = .some(result)
        return result
    }

    /// The schema has changed.
    private func invalidateQueries() {
        for case (let id, let query?) in compiled { costs[id] = query.cost }
        compiled = [:]
    }

    func cost(of query: UInt64) -> Cost { compiled[query].flatMap { $0?.cost } ?? costs[query] ?? Cost() }

    /// Whether a change of these properties can change the results.
    func depends(_ query: QueryRegistry.Query, on fields: Set<Text>) throws -> Bool {
        guard let fieldsOfQuery = try compiled(query)?.fields else { return false }
        return !fieldsOfQuery.isDisjoint(with: fields)
    }

    /// The keys of existing objects, by class, with their numbers.
    typealias Located = [Text: [(number: Int, key: ObjectKey)]]

    /// The state contains the same objects. An object that it lacks may have a key of the wrong type.
    func locate(_ objects: [ObjectReference], _ state: PartitionState) throws -> Located {
        let source = try source()
        var located: Located = [:]
        var tables: [Text: Table] = [:]
        for (number, object) in objects.enumerated() where state.holds(object) {
            if tables[object.table] == nil { tables[object.table] = try table(object.table, in: source) }
            guard let table = tables[object.table], let stored = SyncNames.storedKey(object.key),
                let key = try table.object(primaryKey: stored)
            else { continue }
            located[object.table, default: []].append((number, key))
        }
        return located
    }

    /// Returns the numbers of the objects that match.
    func matches(_ query: QueryRegistry.Query, in located: Located) throws -> NumberSet {
        guard let objects = located[query.className], let compiled = try compiled(query) else { return NumberSet() }
        compiled.cost.evaluationCount += 1
        compiled.cost.objectCount += objects.count
        return try filter(objects, compiled.query)
    }

    /// Returns the numbers of the objects of a class that a filter contains. One that doesn't fit the schema contains
    /// none.
    func matches(_ filter: DocumentFilter, of className: Text, in located: Located) throws -> NumberSet {
        guard let objects = located[className] else { return NumberSet() }
        switch filter {
        case .none: return NumberSet()
        case .all:
            var all = NumberSet()
            for object in objects { all.insert(object.number) }
            return all
        case .matching(let text):
            do {
                let query = try compile(try SubscriptionQuery(className, parsing: text.string))
                return try self.filter(objects, query)
            } catch let error as SessionError {
                guard error.code == .badQuery else { throw error }
            } catch is SubscriptionError {}
            return NumberSet()
        }
    }

    private func filter(_ objects: [(number: Int, key: ObjectKey)], _ query: Query) throws -> NumberSet {
        var result = NumberSet()
        let found = try query.filter(objects.map(\.key), in: try source())
        // They are in the order of the objects, each of which occurs once.
        var rest = found[...]
        for object in objects where rest.first == object.key {
            result.insert(object.number)
            rest.removeFirst()
        }
        return result
    }

    /// Returns all objects that match.
    func objects(_ query: QueryRegistry.Query) throws -> Set<ObjectReference> {
        guard let compiled = try compiled(query) else { return [] }
        let source = try source()
        guard let table = try table(query.className, in: source) else { return [] }
        compiled.cost.evaluationCount += 1
        compiled.cost.objectCount += try table.count()
        var result: Set<ObjectReference> = []
        for key in try compiled.query.objects(in: source) {
            if let object = try source.reference(to: key, in: table) { result.insert(object) }
        }
        return result
    }
}
