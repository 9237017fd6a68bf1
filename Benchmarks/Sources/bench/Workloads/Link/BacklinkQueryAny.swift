// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension LinkWorkloads {
    static let backlinkQueryAny = count(
        "backlink_query_any", { $0.objects(BenchOwner.self).where { $0.owned.age == 3 }.count },
        "SELECT COUNT(*) FROM owner WHERE EXISTS (SELECT 1 FROM dog WHERE dog.owner = owner.id AND age = 3)")
}
