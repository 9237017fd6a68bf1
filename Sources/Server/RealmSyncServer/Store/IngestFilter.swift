// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage
import RealmSync
import RealmSyncCore

/// Finds the objects of asymmetric classes that a filter of the rules excludes from the writes of a user. The filter is
/// evaluated in a temporary database, because the objects aren't among the documents.
struct IngestFilter {
    private let rights: UserRights
    private let state: PartitionObjects
    private let folder: String

    /// - Parameter state: Has the classes of the objects.
    init(_ rights: UserRights, _ state: PartitionObjects, folder: String) {
        (self.rights, self.state, self.folder) = (rights, state, folder)
    }

    /// - Parameter instructions: The instructions that create the objects.
    /// - Throws: `StorageError`, `SessionError` if the objects don't match their classes.
    func excludedObjects(of instructions: [Instruction]) throws -> [ObjectReference] {
        var filters: [Text: Text] = [:]
        for name in Set(instructions.compactMap { $0.object?.table }) {
            if case .matching(let filter) = rights[name].write { filters[name] = filter }
        }
        if filters.isEmpty { return [] }
        let concerned = instructions.filter { $0.object.map { filters[$0.table] != nil } == true }
        let transaction = try Database.inMemory(in: folder).beginWrite()
        defer { transaction.rollback() }
        try ChangesetApplier(transaction).apply(
            Changeset(state.schemaInstructions.map(\.ofTopLevel) + concerned))
        let objects = Changeset(concerned).objects
        return try filters.sorted { $0.key < $1.key }.flatMap { name, filter in
            try excluded(objects.filter { $0.table == name }, filter, name, in: transaction)
        }
    }

    /// Returns the objects that a filter excludes. A filter that doesn't fit the class excludes all of them.
    private func excluded(
        _ objects: [ObjectReference], _ filter: Text, _ name: Text, in source: WriteTransaction
    ) throws -> [ObjectReference] {
        guard let table = try source.table(named: FileFormat.classPrefix + name.string),
            let query = try? SubscriptionQuery(name, parsing: filter.string),
            let compiled = try? Query.compile(query.predicate, on: table.key, in: source, dialect: .query)
        else { return objects }
        let keys = try objects.map { object in
            try SyncNames.storedKey(object.key).flatMap { try table.object(primaryKey: $0) }
        }
        let matching = Set(try compiled.filter(keys.compactMap { $0 }, in: source))
        return zip(objects, keys).filter { _, key in key.map { !matching.contains($0) } ?? true }.map(\.0)
    }
}

extension Instruction {
    /// Objects of an asymmetric class aren't stored.
    fileprivate var ofTopLevel: Instruction {
        guard case .addTable(let definition) = self, case .asymmetric(let key) = definition.kind else { return self }
        return .addTable(TableDefinition(definition.name, .topLevel(key)))
    }
}
