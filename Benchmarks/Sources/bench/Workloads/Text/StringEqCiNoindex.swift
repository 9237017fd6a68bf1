// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension TextWorkloads {
    static let equalsIgnoringCaseWithoutIndex = plain(
        "string_eq_ci_noindex", { $0.text.equals("PERSON-777", options: .caseInsensitive) },
        "text = 'PERSON-777' COLLATE NOCASE")
}
