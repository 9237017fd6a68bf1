// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension LinkWorkloads {
    static let queryToOne = count(
        "link_query_to_one", { $0.objects(BenchDog.self).where { $0.owner.name == "owner-77" }.count },
        "SELECT COUNT(*) FROM dog JOIN owner ON owner.id = dog.owner WHERE owner.name = 'owner-77'")
}
