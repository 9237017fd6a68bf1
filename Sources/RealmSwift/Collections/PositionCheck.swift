// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Ends the process unless there is something at the position. `name` is that of the parameter.
func verifyPosition(_ position: Int, below limit: @autoclosure () -> Int, _ name: String = "index") {
    if position < 0 { throwRealmException("Cannot pass a negative value for '\(name)'.") }
    let limit = limit()
    if position >= limit { throwRealmException("Index \(position) is out of bounds (must be less than \(limit)).") }
}
