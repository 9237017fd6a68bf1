// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// Returns whether an element exists at the position. If it doesn't, traps, unless `realm` has recorded an
/// I/O error or damage that may be the cause. `name` is the parameter's name in the text.
func isPosition(
    _ position: Int, below limit: @autoclosure () -> Int, _ name: String = "index", in realm: RealmInstance?
) -> Bool {
    let limit = position < 0 ? 0 : limit()
    if position >= 0, position < limit { return true }
    let text =
        position < 0
        ? "Cannot pass a negative value for '\(name)'."
        : "Index \(position) is out of bounds (must be less than \(limit))."
    guard let realm else { throwRealmException(text) }
    realm.refuse(text)
    return false
}
