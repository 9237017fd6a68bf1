// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension TextWorkloads {
    static let prefixWithoutIndex = plain(
        "string_prefix_noindex", { $0.text.starts(with: "person-7") }, "text >= 'person-7' AND text < 'person-8'")
}
