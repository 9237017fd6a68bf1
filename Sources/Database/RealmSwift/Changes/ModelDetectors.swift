// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension ObjectDetector {
    init(_ managed: ManagedClass, _ object: ObjectKey, _ filter: KeyPathFilter?) {
        self.init(table: managed.tableKey, columns: managed.columns, object: object, filter: filter)
    }
}

extension ResultsCore {
    /// The query as its observers evaluate it.
    var observed: ObservedQuery {
        if let awaited, !isFound {
            let (coordinator, configuration) = (realm.coordinator, realm.configuration)
            return ObservedQuery { version, keyPaths in
                let realm = RealmInstance(coordinator, configuration, frozen: version.reader)
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
}
