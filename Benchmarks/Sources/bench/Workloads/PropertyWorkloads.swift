// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

/// Read one property of one live object again and again. GRDB has no live objects.
enum PropertyWorkloads {
    static let all = [int, string]
    private static let reads = 1_000_000

    private static let int = Workload(
        name: "prop_read_int_same_obj",
        realm: { bed in
            guard let person = bed.realm.objects(BenchPerson.self).first else { return (0, 0) }
            var sum = 0
            for _ in 0..<reads { sum &+= person.age }
            return (reads, sum)
        }, grdb: nil)

    private static let string = Workload(
        name: "prop_read_str_same_obj",
        realm: { bed in
            guard let person = bed.realm.objects(BenchPerson.self).first else { return (0, 0) }
            var sum = 0
            for _ in 0..<reads { sum &+= person.name.utf8.count }
            return (reads, sum)
        }, grdb: nil)
}
