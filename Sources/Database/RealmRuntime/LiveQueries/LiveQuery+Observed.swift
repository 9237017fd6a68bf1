// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension LiveQuery {
    /// With `deep`, the read depends on more than the set of elements.
    package func trackRead(deep: Bool = false) {
        guard let tracker = realm.tracker, tracker.isTracking else { return }
        tracker.read(query: &trackingNumber, deep: deep, in: realm) { observed }
    }

    /// Handles a query whose source was deleted: it has no results, like any read of a deleted object, unless the
    /// settings enable the original's exception (design decision 8).
    package func verifyValid() {
        guard realm.reader.settings.trapsInvalidated, isInvalidated else { return }
        realm.refuse("Collection is no longer valid")
    }

    /// Returns the query of another instance that has the same source and steps.
    package func transferred(to instance: RealmInstance) -> LiveQuery {
        if let awaited { return LiveQuery(instance, awaited) }
        let base: Base =
            switch base {
            case .table: base
            case .collection(let collection): .collection(type(of: collection).init(collection, in: instance))
            case .backlinks(let owner, let column): .backlinks(OwnerReference(owner, in: instance), column)
            }
        return LiveQuery(instance, base, elementClass: elementClass, steps: steps)
    }

    /// The query as its observers evaluate it.
    package var observed: ObservedQuery {
        if let awaited, !isFound {
            let (models, names) = (realm.models, realm.propertyNames)
            return ObservedQuery { version, keyPaths in
                let realm = RealmInstance(version.reader, models: models, names: names)
                guard let found = awaited.query(in: realm) else { return nil }
                return (found.observed, found.filter(keyPaths))
            }
        }
        let observed: ObservedQuery.Base =
            switch base {
            case .table: .table
            case .collection(let collection): .collection(collection.path)
            case .backlinks(let owner, let column): .backlinks(of: owner.key, in: owner.managed.tableKey, column)
            }
        return ObservedQuery(observed, elements: elementClass?.tableKey, steps: steps)
    }

    /// Returns the filter for key paths of the elements; nil without key paths, or if the elements are values.
    package func filter(_ keyPaths: [String]?) -> KeyPathFilter? {
        guard let keyPaths, !keyPaths.isEmpty, let elementClass else { return nil }
        return realm.models.filter(keyPaths, of: elementClass, realm)
    }
}
