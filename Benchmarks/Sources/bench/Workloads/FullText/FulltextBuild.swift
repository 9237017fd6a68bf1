// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension FullTextWorkloads {
    static let build = Workload.on(
        NoteBed.self, "fulltext_build", prepare: { try $0.copyPlain() },
        realm: { bed in (bed.texts.count, try bed.build()) },
        prepareGRDB: { try $0.copyPlain() },
        grdb: { bed in (bed.texts.count, try bed.buildTable()) }, growth: .logarithmic)
}
