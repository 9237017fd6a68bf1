// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension NotifyWorkloads {
    static let tableManyChanges = observingTable("notify_table_100k", changes: 100_000)
}
