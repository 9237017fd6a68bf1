// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension LinkWorkloads {
    static let queryPrefix = count(
        "link_query_prefix", { $0.objects(BenchDog.self).where { $0.owner.name.starts(with: "owner-7") }.count },
        "SELECT COUNT(*) FROM dog JOIN owner ON owner.id = dog.owner WHERE substr(owner.name, 1, 7) = 'owner-7'")
}
