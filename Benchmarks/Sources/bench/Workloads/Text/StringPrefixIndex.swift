// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension TextWorkloads {
    static let prefix = people(
        "string_prefix_index", { $0.name.starts(with: "person-7") }, "name >= 'person-7' AND name < 'person-8'")
}
