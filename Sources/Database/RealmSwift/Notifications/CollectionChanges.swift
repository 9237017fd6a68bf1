// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// The changes of a collection since its observer was last notified.
///
/// The indexes suit a table view: deletions and modifications are indexes before the change, insertions are indexes
/// after it, all ascending. A moved element counts as deleted and inserted.
@frozen public enum RealmCollectionChange<CollectionType> {
    /// The collection's current state, in the first call of the block.
    case initial(CollectionType)

    /// The changed collection, with the indexes of its changes.
    case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])

    /// An I/O error or damage in the file prevents the changes from being computed. No further notifications follow.
    case error(Error)
}

/// The changes of a map since its observer was last notified.
@frozen public enum RealmMapChange<Collection: RealmKeyedCollection> {
    /// The map's current state, in the first call of the block.
    case initial(Collection)

    /// The changed map, with the keys of its changes.
    case update(
        Collection, deletions: [Collection.Key], insertions: [Collection.Key], modifications: [Collection.Key])

    /// An I/O error or damage in the file prevents the changes from being computed. No further notifications follow.
    case error(Error)
}

extension RealmCollectionChange {
    init(_ collection: CollectionType, _ change: DetectedChange?) {
        if case .positions(let change) = change {
            self = .update(
                collection, deletions: change.deletions, insertions: change.insertions,
                modifications: change.modifications)
        } else {
            self = .initial(collection)
        }
    }
}

extension RealmMapChange {
    init(_ collection: Collection, _ change: DetectedChange?) {
        if case .keys(let change) = change {
            self = .update(
                collection, deletions: change.deletions.map(Collection.Key.init(_mapKey:)),
                insertions: change.insertions.map(Collection.Key.init(_mapKey:)),
                modifications: change.modifications.map(Collection.Key.init(_mapKey:)))
        } else {
            self = .initial(collection)
        }
    }
}
