// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension IntListWorkloads {
    static let appendAll = append("list_int_append") { list, values in list.append(objectsIn: values) }
}
