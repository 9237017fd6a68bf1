// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension IntListWorkloads {
    static let insertMiddle = change("list_int_insert_middle") { bed in
        for value in bed.values.prefix(bed.tenth) { bed.list.insert(value, at: bed.list.count / 2) }
    }
}
