// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension LinkWorkloads {
    static let backlinkQuerySum = count(
        "backlink_query_sum", { $0.objects(BenchOwner.self).where { $0.owned.age.sum > 80 }.count },
        "SELECT COUNT(*) FROM (SELECT owner FROM dog GROUP BY owner HAVING SUM(age) > 80)")
}
