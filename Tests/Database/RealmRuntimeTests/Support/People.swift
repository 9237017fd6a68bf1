// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import RealmSystem

/// Four people of the ages 0 to 3, of whom the first has the others as friends, in an instance without models.
struct People {
    let database: RuntimeDatabase
    let instance: RealmInstance
    let managed: ManagedClass
    let age: ColumnKey
    let friends: ColumnKey
    let backlinks: ColumnKey
    let keys: [ObjectKey]

    private final class NoModel {}

    init() throws {
        database = try RuntimeDatabase()
        instance = try RealmInstance(database, at: .thread(ThreadToken.current()))
        try instance.writes.enter()
        let transaction = try instance.writes.requireTransaction()
        let table = try transaction.schema.addTable("class_Person")
        let age = try transaction.schema.addColumn("age", .int, to: table)
        let friends = try transaction.schema.addColumn("friends", .link, [.list], target: table, to: table)
        keys = try (0..<4).map { number in
            let key = try transaction.createObject(in: table)
            try transaction.set(.int(Int64(number)), age, of: key, in: table)
            return key
        }
        let list = transaction.list(at: CollectionPath(friends, of: keys[0], in: table))
        for key in keys.dropFirst().reversed() { _ = try list.insert(.link(key), at: 0) }
        guard let backlinks = try transaction.table(table)?.backlinkColumns.first?.key else {
            throw StorageError(.invalidArgument, "no backlinks")
        }
        instance.changed()
        try instance.writes.commit()
        (self.age, self.friends, self.backlinks) = (age, friends, backlinks)
        managed = ManagedClass(
            "Person", table, nil, columns: [age, friends], backlinks: [backlinks],
            propertyNames: ["age", "friends", "befriendedBy"], model: NoModel())
    }

    func owner(_ index: Int) -> OwnerReference {
        OwnerReference(
            instance, managed, keys[index], createdInWrite: instance.currentWrite, epoch: instance.epoch)
    }

    /// The list of the first person's friends.
    var list: ManagedList {
        ManagedList(
            owner(0), CollectionPath(friends, of: keys[0], in: managed.tableKey), of: NoModel.self, isMapped: false, nil
        )
    }

    /// Changes the age of a person, in a write of another instance.
    func setAge(_ age: Int64, of index: Int) throws {
        let transaction = try database.host.database.beginWrite()
        try transaction.set(.int(age), self.age, of: keys[index], in: managed.tableKey)
        try transaction.commit()
    }
}
