// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

extension RealmInstance {
    func object<Element: ObjectBase>(_ type: Element.Type, _ known: ClassCacheEntry, _ value: StoredValue) -> Element? {
        if state.pointee.write != 0 { return objectDuringWrite(type, known.locator.managed, value) }
        guard let found = reading(nil, { try known.find(value, in: self) }) else { return nil }
        return unsafe object(of: type, known.locator.managed, found.key, at: found.place(state))
    }

    /// Doesn't use the cached search: a write invalidates it, and a writer rarely reads many properties of
    /// an object first.
    private func objectDuringWrite<Element: ObjectBase>(
        _ type: Element.Type, _ managed: ManagedClass, _ value: StoredValue
    ) -> Element? {
        // While row deletions are deferred, objects have no positions; a loop that deletes one object after another
        // needs none.
        if let table = table(managed.tableKey), table.primaryKey != nil, table.hasDeferredDeletes {
            return reading(nil) { try table.object(primaryKey: value) }.map { object(of: type, managed, $0) }
        }
        guard let found = position(ofPrimaryKey: value, in: managed) else { return nil }
        let place = RowLocation(found.leaf.node, row: found.row, stamp: state.pointee.clock.clusterLeaf)
        return object(of: type, managed, found.leaf.key(at: found.row), at: place)
    }
}

extension ClassCacheEntry {
    /// Returns the object with this primary key, whose values are being prefetched, or nil if none exists. Not during a
    /// write.
    fileprivate func find(_ value: StoredValue, in realm: RealmInstance) throws -> PrimaryKeySearch.Found? {
        let state = realm.state
        if unsafe searchStamp != state.pointee.clock.clusterLeaf {
            search = try realm.primaryKeySearch(locator.managed.tableKey)
            searchStamp = unsafe state.pointee.clock.clusterLeaf
        }
        return try search?.find(value) { unsafe ahead.fetch($0.place(state), state) }
    }
}

extension RealmInstance {
    fileprivate func primaryKeySearch(_ key: TableKey) throws -> PrimaryKeySearch? {
        // Read the source first: after `invalidate()`, accessing it starts a new stamp.
        guard let table = try source?.table(key), let known = unsafe state.knownLeaves(of: key) else { return nil }
        return try PrimaryKeySearch(table, known)
    }
}

extension PrimaryKeySearch.Found {
    fileprivate func place(_ state: UnsafeMutablePointer<ReadState>) -> RowLocation {
        unsafe RowLocation(leaf, row: row, stamp: state.pointee.clock.clusterLeaf)
    }
}

extension ManagedClass {
    /// Returns a primary key that is stored unchanged because it has exactly the type of the property. Returns nil for
    /// any other key, which has to be converted or rejected.
    func plainKey<Key>(_ key: Key) -> StoredValue? {
        guard let wrapper = info.primaryKey?.field.wrapper else { return nil }
        if Key.self == Int.self {
            return unsafe wrapper == Persisted<Int>.self ? .int(Int64(unsafeBitCast(key, to: Int.self))) : nil
        }
        if Key.self == String.self {
            return unsafe wrapper == Persisted<String>.self ? .string(unsafeBitCast(key, to: String.self)) : nil
        }
        if Key.self == ObjectId.self, let key = key as? ObjectId {
            return wrapper == Persisted<ObjectId>.self ? .objectId(key.bits) : nil
        }
        if Key.self == UUID.self {
            return unsafe wrapper == Persisted<UUID>.self ? .uuid(UUIDBytes(unsafeBitCast(key, to: UUID.self))) : nil
        }
        return nil
    }
}
