// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Where one value of any kind can be put: in a property, or in a collection as one of its elements.
enum ElementPlace {
    /// The mixed property that the path names.
    case property(CollectionPath)
    /// In the stead of an element of a list.
    case listElement(CollectionPath, Int)
    /// In front of an element of a list, or at its end.
    case newListElement(CollectionPath, Int)
    case setElement(CollectionPath)
    /// The value of a key, new or not.
    case entry(CollectionPath, String)

    var collection: CollectionPath {
        switch self {
        case .property(let path), .listElement(let path, _), .newListElement(let path, _), .setElement(let path),
            .entry(let path, _):
            path
        }
    }
}

/// Storing elements and mixed values: unmanaged objects are added, embedded ones created in place, and the collections
/// inside mixed values copied with everything in them.
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

    /// A link as a column of objects or of mixed values stores it.
    func linkValue(_ key: ObjectKey, to target: ObjectBase, in column: ColumnKey) -> StoredValue {
        guard column.type == .mixed, let managed = target._rlmRow.managed else { return .link(key) }
        return .typedLink(ObjectLink(table: managed.tableKey, object: key))
    }

    func store(_ value: StoredValue, at place: ElementPlace) {
        change {
            switch place {
            case .property(let path): try $0.set(value, path.column, of: path.object, in: path.table)
            case .listElement(let path, let index): try $0.listSet(value, at: index, in: path)
            case .newListElement(let path, let index): try $0.listInsert(value, at: index, in: path)
            case .setElement(let path): _ = try $0.setInsert(value, path.column, of: path.object, in: path.table)
            case .entry(let path, let key): _ = try $0.dictionarySet(value, forKey: key, in: path)
            }
        }
    }

    /// Puts an empty collection into a mixed value and returns the way to it. What was there goes first: the engine
    /// would keep a collection of the same kind with all that is in it.
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
            change { try $0.listInsertCollection(kind, at: index, in: path) }
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
        if let key = createEmbedded(at: place) { adopt(object, key, update: update) }
    }

    private func createEmbedded(at place: ElementPlace) -> ObjectKey? {
        change {
            switch place {
            case .listElement(let path, let index):
                try $0.listErase(at: index, in: path)
                return try $0.listInsertEmbedded(at: index, path.column, of: path.object, in: path.table)
            case .newListElement(let path, let index):
                return try $0.listInsertEmbedded(at: index, path.column, of: path.object, in: path.table)
            case .entry(let path, let key):
                return try $0.dictionaryCreateEmbedded(forKey: key, path.column, of: path.object, in: path.table)
            case .property(let path): return try $0.createEmbedded(path.column, of: path.object, in: path.table)
            case .setElement: throw StorageError(.invalidArgument, "a set cannot hold embedded objects")
            }
        }
    }

    /// Objects without primary key are always created anew.
    func inherited(_ update: Realm.UpdatePolicy, _ target: ObjectBase) -> Realm.UpdatePolicy {
        target.classInfo.primaryKey == nil ? .error : update
    }
}
