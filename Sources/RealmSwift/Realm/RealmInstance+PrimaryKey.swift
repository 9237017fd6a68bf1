// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

extension RealmInstance {
    /// The object of a class with this primary key, with its place; nil if there is none.
    func object<Element: ObjectBase>(_ type: Element.Type, _ known: KnownClass, _ value: StoredValue) -> Element? {
        let managed = known.locator.managed
        let generation = state.pointee.generation
        func place(_ position: ClusterTree.Position) -> RowPlace {
            RowPlace(position.leaf.node, row: position.row, generation: generation)
        }
        let found = position(ofPrimaryKey: value, in: managed) {
            // Whoever writes seldom reads much of an object first.
            if state.pointee.write == 0 { known.ahead.fetch(place($0), state) }
        }
        return found.map { object(of: type, managed, $0.leaf.key(at: $0.row), at: place($0)) }
    }
}

extension ManagedClass {
    /// A primary key that is stored as it is: of just the type of the property. nil for any other, which has to be
    /// converted or refused.
    func plainKey<Key>(_ key: Key) -> StoredValue? {
        guard let wrapper = info.primaryKey?.field.wrapper else { return nil }
        if Key.self == Int.self {
            return wrapper == Persisted<Int>.self ? .int(Int64(unsafeBitCast(key, to: Int.self))) : nil
        }
        if Key.self == String.self {
            return wrapper == Persisted<String>.self ? .string(unsafeBitCast(key, to: String.self)) : nil
        }
        if Key.self == ObjectId.self, let key = key as? ObjectId {
            return wrapper == Persisted<ObjectId>.self ? .objectId(key.bits) : nil
        }
        if Key.self == UUID.self {
            return wrapper == Persisted<UUID>.self ? .uuid(UUIDBytes(unsafeBitCast(key, to: UUID.self))) : nil
        }
        return nil
    }
}
