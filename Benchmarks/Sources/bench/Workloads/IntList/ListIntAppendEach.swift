// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension IntListWorkloads {
    static let appendEach = append("list_int_append_each") { list, values in
        for value in values { list.append(value) }
    }
}
