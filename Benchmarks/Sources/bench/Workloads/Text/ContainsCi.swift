// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension TextWorkloads {
    static let containsIgnoringCase = people(
        "contains_ci", { $0.name.contains("SON-77", options: .caseInsensitive) }, "name LIKE '%SON-77%'")
}
