// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension TextWorkloads {
    static let equalsIgnoringCase = people(
        "string_eq_ci_index", { $0.name.equals("PERSON-777", options: .caseInsensitive) },
        "name = 'PERSON-777' COLLATE NOCASE")
}
