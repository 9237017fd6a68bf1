// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension ObjectDetector {
    init(_ managed: ManagedClass, _ object: ObjectKey, _ filter: KeyPathFilter?) {
        self.init(table: managed.tableKey, columns: managed.columns, object: object, filter: filter)
    }
}
