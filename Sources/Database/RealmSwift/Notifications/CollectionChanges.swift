// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What has happened to a collection since its observer was last notified of it.
///
/// The positions suit a table view: deletions and modifications are positions before the change, insertions those after
/// it, all ascending. What moved is deleted and inserted.
@frozen public enum RealmCollectionChange<CollectionType> {
    /// The first call, with the collection as it is.
    case initial(CollectionType)

    /// The collection has changed.
    case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])

    /// A world error, damage in the file mostly, keeps the changes from being found. Nothing more will be notified.
    case error(Error)
}

/// What has happened to a map since its observer was last notified of it.
@frozen public enum RealmMapChange<Collection: RealmKeyedCollection> {
    /// The first call, with the map as it is.
    case initial(Collection)

    /// Entries came, went, or have another value.
    case update(
        Collection, deletions: [Collection.Key], insertions: [Collection.Key], modifications: [Collection.Key])

    /// A world error, damage in the file mostly, keeps the changes from being found. Nothing more will be notified.
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
