// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension FullTextWorkloads {
    static let insert = Workload.on(
        NoteBed.self, "fulltext_insert", prepare: { try $0.renew() },
        realm: { bed in (bed.texts.count, try bed.insert()) },
        prepareGRDB: { try $0.renew() },
        grdb: { bed in (bed.texts.count, try bed.insertRows()) }, growth: .logarithmic)
}
