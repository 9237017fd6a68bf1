// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension MixedWorkloads {
    static let read = Workload(
        name: "mixed_read",
        realm: { bed in
            var sum = 0
            for object in try bed.plain().realm.objects(BenchPlain.self) {
                switch object.mixed {
                case .int(let value): sum &+= value
                case .double(let value): sum &+= Int(value)
                case .string(let value): sum &+= value.utf8.count
                case .bool(let value): sum &+= value ? 1 : 0
                case .data(let value): sum &+= value.count
                default: break
                }
            }
            return (bed.people.rows.count, sum)
        },
        grdb: { bed in
            try bed.plain().queue.read { database in
                var sum = 0
                let cursor = try DatabaseValue.fetchCursor(database, sql: "SELECT mixed FROM plain")
                while let value = try cursor.next() {
                    switch value.storage {
                    case .int64(let value): sum &+= Int(value)
                    case .double(let value): sum &+= Int(value)
                    case .string(let value): sum &+= value.utf8.count
                    case .blob(let value): sum &+= value.count
                    case .null: break
                    }
                }
                return (bed.people.rows.count, sum)
            }
        })
}
