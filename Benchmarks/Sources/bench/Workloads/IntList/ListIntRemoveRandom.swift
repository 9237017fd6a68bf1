// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension IntListWorkloads {
    static let removeRandom = change("list_int_remove_random") { bed in
        for (removed, position) in bed.positions.prefix(bed.tenth).enumerated() {
            bed.list.remove(at: position % (bed.values.count - removed))
        }
    }
}
