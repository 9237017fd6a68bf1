// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension PropertyWorkloads {
    static let string = Workload(
        name: "prop_read_str_same_obj",
        realm: { bed in
            guard let person = bed.realm.objects(BenchPerson.self).first else { return (0, 0) }
            var sum = 0
            for _ in 0..<reads { sum &+= person.name.utf8.count }
            return (reads, sum)
        }, grdb: nil)
}
