// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension LinkListWorkloads {
    static let sum = aggregate(
        "list_link_sum", { $0.sum(of: \.value) }, "SELECT SUM(value) FROM link JOIN item ON item.id = link.item")
}
