// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Conditions on linked objects from both sides, per pet.
enum LinkChainWorkload {
    static let all = [toOne, manyOwners, toMany]

    static let toOne = workload(
        "link_chain_to_one", { $0.objects(BenchPet.self).where { $0.owner.name == "owner-77" }.count },
        "SELECT COUNT(*) FROM pet JOIN owner ON owner.id = pet.owner WHERE owner.name = 'owner-77'")
    static let manyOwners = workload(
        "link_chain_prefix", { $0.objects(BenchPet.self).where { $0.owner.name.starts(with: "owner-7") }.count },
        "SELECT COUNT(*) FROM pet JOIN owner ON owner.id = pet.owner WHERE owner.name LIKE 'owner-7%'")
    static let toMany = workload(
        "link_chain_to_many", { $0.objects(BenchOwner.self).where { $0.pets.age == 3 }.count },
        "SELECT COUNT(*) FROM owner WHERE EXISTS (SELECT 1 FROM pet WHERE pet.owner = owner.id AND age = 3)")

    private static func workload(
        _ name: String, _ count: @escaping @Sendable (Realm) -> Int, _ sql: String
    ) -> Workload {
        Workload(
            name: name,
            realm: { bed in
                let pets = try bed.pets()
                return (pets.petCount, count(pets.realm))
            },
            grdb: { bed in
                let pets = try bed.pets()
                return (pets.petCount, try pets.queue.read { try Int.fetchOne($0, sql: sql) ?? 0 })
            })
    }
}
