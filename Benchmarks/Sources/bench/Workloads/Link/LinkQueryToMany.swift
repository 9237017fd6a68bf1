// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension LinkWorkloads {
    static let queryToMany = count(
        "link_query_to_many", { $0.objects(BenchOwner.self).where { $0.dogs.owner.name == "owner-77" }.count },
        """
        SELECT COUNT(DISTINCT owner_dog.owner) FROM owner JOIN dog ON dog.owner = owner.id
        JOIN owner_dog ON owner_dog.dog = dog.id WHERE owner.name = 'owner-77'
        """)
}
