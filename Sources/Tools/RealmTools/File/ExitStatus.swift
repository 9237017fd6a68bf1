// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

enum ExitStatus {
    static let fine: Int32 = 0
    /// The command failed, or an audit found faults.
    static let faults: Int32 = 1
    static let usage: Int32 = 2
}
