// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// The state shared by the copies of one declared `LinkingObjects`, so that a `let` of a class without `@Persisted` is
/// live once its object is managed.
///
/// The constant itself never changes: the compiler may read it once and reuse the result.
final class LinkingObjectsDeclared {
    /// nil when unmanaged.
    private(set) var core: LiveQuery?

    init() {}

    /// The probe of a key path has no row and is unchanged.
    func attach<Element: ObjectBase & RealmCollectionValue>(
        to owner: ObjectBase, _ key: PropertyKey, of element: Element.Type
    ) {
        if owner.isManaged { core = LinkingObjects<Element>(owner: owner, key).core }
    }
}
