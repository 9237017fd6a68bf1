// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// With which status the tool ends.
enum ExitStatus {
    static let fine: Int32 = 0
    /// What was asked for could not be done, or an audit has found something.
    static let faults: Int32 = 1
    static let usage: Int32 = 2
}
