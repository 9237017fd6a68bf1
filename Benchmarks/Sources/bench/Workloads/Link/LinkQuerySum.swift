// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension LinkWorkloads {
    static let querySum = count(
        "link_query_sum", { $0.objects(BenchOwner.self).where { $0.dogs.age.sum > 80 }.count },
        """
        SELECT COUNT(*) FROM (SELECT owner_dog.owner FROM owner_dog JOIN dog ON dog.id = owner_dog.dog
        GROUP BY owner_dog.owner HAVING SUM(dog.age) > 80)
        """)
}
