// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension LinkListWorkloads {
    static let query = aggregate(
        "list_link_query", { $0.where { $0.value > 50 }.count },
        "SELECT COUNT(*) FROM link JOIN item ON item.id = link.item WHERE value > 50")
}
