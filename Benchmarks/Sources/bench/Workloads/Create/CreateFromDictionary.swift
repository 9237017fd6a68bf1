// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension CreateWorkloads {
    static let fromDictionaries = Workload.on(
        DraftBed.self, "create_from_dictionary", prepare: { try $0.empty() },
        realm: { bed in
            let realm = try bed.realm()
            try realm.write {
                for row in bed.rows {
                    let value: [String: Any] = [
                        "id": row.id, "name": row.name, "age": row.age, "score": row.score, "active": row.active,
                    ]
                    realm.create(BenchDraft.self, value: value)
                }
            }
            return (bed.rows.count, realm.objects(BenchDraft.self).count)
        },
        prepareGRDB: { try $0.empty() },
        grdb: { bed in
            try bed.queue().write { database in
                let statement = try database.makeStatement(
                    sql: "INSERT INTO draft VALUES (:id, :name, :age, :score, :active)")
                for row in bed.rows {
                    let value: [String: (any DatabaseValueConvertible)?] = [
                        "id": row.id, "name": row.name, "age": row.age, "score": row.score, "active": row.active,
                    ]
                    try statement.execute(arguments: StatementArguments(value))
                }
            }
            return (bed.rows.count, try bed.queue().read { try $0.count("draft") })
        }, growth: .logarithmic)
}
