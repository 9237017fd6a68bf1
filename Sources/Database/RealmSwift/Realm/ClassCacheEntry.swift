// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// A class found by its type in a live instance, and the last location of an object of the class. Confined like the
/// instance.
final class ClassCacheEntry {
    let type: ObjectBase.Type
    @safe @exclusivity(unchecked) var locator: RowLocator
    let ahead: RowPrefetcher
    /// Searches for objects by primary key, in the version of `searchStamp`; unset if that is `.never`.
    @safe @exclusivity(unchecked) var search: PrimaryKeySearch?
    @safe @exclusivity(unchecked) var searchStamp: ChangeStamp<ClusterLeafExtent> = .never

    init(_ type: ObjectBase.Type, _ managed: ManagedClass) {
        self.type = type
        locator = RowLocator(managed)
        ahead = RowPrefetcher(managed.firstColumns)
    }
}
