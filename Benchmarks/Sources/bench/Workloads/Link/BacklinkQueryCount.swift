// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension LinkWorkloads {
    static let backlinkQueryCount = count(
        "backlink_query_count", { $0.objects(BenchOwner.self).where { $0.owned.count > 10 }.count },
        "SELECT COUNT(*) FROM (SELECT owner FROM dog GROUP BY owner HAVING COUNT(*) > 10)")
}
