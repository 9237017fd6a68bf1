// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The location where a value of any kind is stored: a property, or an element of a collection.
enum ElementPlace {
    /// The mixed property that the path names.
    case property(CollectionPath)
    case listElement(CollectionPath, Int)
    /// Inserted before an element of a list, or at its end.
    case newListElement(CollectionPath, Int)
    case setElement(CollectionPath)
    /// The value of a dictionary key, which may be new.
    case entry(CollectionPath, String)

    var collection: CollectionPath {
        switch self {
        case .property(let path), .listElement(let path, _), .newListElement(let path, _), .setElement(let path),
            .entry(let path, _):
            path
        }
    }
}

/// Storing elements and mixed values: unmanaged objects are added, embedded ones created in their parent, and the
/// collections inside mixed values copied with their contents.
extension RealmInstance {
    func put(_ content: _StoredContent, at place: ElementPlace, update: Realm.UpdatePolicy) {
        switch content.kind {
        case .value(let value): store(value, at: place)
        case .object(let target) where isEmbedded(target): embed(target, at: place, update: update)
        case .object(let target):
            let link = add(target, update: inherited(update, target))
            store(linkValue(link, to: target, in: place.collection.column), at: place)
        case .elements(let elements):
            let list = makeCollection(.list, at: place)
            for (index, element) in elements.enumerated() {
                put(element, at: .newListElement(list, index), update: update)
            }
        case .entries(let entries):
            let dictionary = makeCollection(.dictionary, at: place)
            for entry in entries { put(entry.value, at: .entry(dictionary, entry.key), update: update) }
        }
    }

    func linkValue(_ key: ObjectKey, to target: ObjectBase, in column: ColumnKey) -> StoredValue {
        guard column.type == .mixed, let managed = target._rlmRow.managed else { return .link(key) }
        return .typedLink(ObjectLink(table: managed.tableKey, object: key))
    }

    func store(_ value: StoredValue, at place: ElementPlace) {
        change {
            switch place {
            case .property(let path): try $0.set(value, path.column, of: path.object, in: path.table)
            case .listElement(let path, let index): try $0.list(at: path).set(value, at: index)
            case .newListElement(let path, let index): try $0.list(at: path).insert(value, at: index)
            case .setElement(let path): _ = try $0.set(at: path).insert(value)
            case .entry(let path, let key): _ = try $0.dictionary(at: path).set(value, forKey: key)
            }
        }
    }

    /// Stores an empty collection in a mixed value and returns its path. The previous value is removed first, because
    /// the engine would keep a collection of the same kind with its contents.
    private func makeCollection(_ kind: NestedKind, at place: ElementPlace) -> CollectionPath {
        switch place {
        case .property(let path):
            store(.null, at: place)
            change { try $0.setCollection(kind, at: path) }
            return path
        case .listElement(let path, let index):
            store(.null, at: place)
            return makeCollection(kind, at: path.appending(.index(index)))
        case .newListElement(let path, let index):
            change { try $0.list(at: path).insertCollection(kind, at: index) }
            return path.appending(.index(index))
        case .entry(let path, let key):
            store(.null, at: place)
            return makeCollection(kind, at: path.appending(.key(key)))
        case .setElement: throwRealmException("A set cannot hold a list or a dictionary.")
        }
    }

    private func makeCollection(_ kind: NestedKind, at path: CollectionPath) -> CollectionPath {
        change { try $0.setCollection(kind, at: path) }
        return path
    }

    private func embed(_ object: ObjectBase, at place: ElementPlace, update: Realm.UpdatePolicy) {
        if object.isManaged {
            let isEntry = if case .entry = place { true } else { false }
            let name = isEntry ? CollectionVocabulary.dictionary.name : CollectionVocabulary.list.name
            throwRealmException("Cannot add an existing managed embedded object to a \(name).")
        }
        embed(object, update: update) { transaction, values in
            switch place {
            case .listElement(let path, let index):
                try transaction.list(at: path).erase(at: index)
                return try transaction.list(at: path).createEmbedded(at: index, values)
            case .newListElement(let path, let index):
                return try transaction.list(at: path).createEmbedded(at: index, values)
            case .entry(let path, let key):
                return try transaction.dictionary(at: path).createEmbedded(forKey: key, values)
            case .property(let path):
                return try transaction.links.createEmbedded(path.column, of: path.object, in: path.table, values)
            case .setElement: throw StorageError(.invalidArgument, "a set cannot hold embedded objects")
            }
        }
    }

    /// Objects without a primary key are always created.
    func inherited(_ update: Realm.UpdatePolicy, _ target: ObjectBase) -> Realm.UpdatePolicy {
        target.classInfo.primaryKey == nil ? .error : update
    }
}
