// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension TextWorkloads {
    static let equalsWithoutIndex = plain(
        "string_eq_noindex", { $0.text == "person-777" }, "text = 'person-777'", .sequentialReads)
}
