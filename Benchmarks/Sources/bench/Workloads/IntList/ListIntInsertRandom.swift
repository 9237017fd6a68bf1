// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension IntListWorkloads {
    static let insertRandom = change("list_int_insert_random") { bed in
        for (value, position) in zip(bed.values, bed.positions).prefix(bed.tenth) {
            bed.list.insert(value, at: position)
        }
    }
}
