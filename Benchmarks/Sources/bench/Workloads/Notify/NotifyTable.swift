// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension NotifyWorkloads {
    static let table = observingTable("notify_table")
}
