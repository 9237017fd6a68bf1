// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The classes of the program, as an instance stores them. Implemented by the module with models.
///
/// Confined like the instance, except that every thread may call `filter`.
package protocol InstanceClasses: AnyObject, Sendable {
    /// Returns the class of a collection's elements; nil if the file has no table for it.
    func elementClass(
        _ type: AnyClass, of column: ColumnKey, in managed: ManagedClass, _ instance: RealmInstance
    ) -> ManagedClass?

    /// Resolves key paths of the elements of a query. Traps with the documented text for a path that doesn't exist.
    func filter(_ keyPaths: [String], of managed: ManagedClass, _ instance: RealmInstance) -> KeyPathFilter
}
