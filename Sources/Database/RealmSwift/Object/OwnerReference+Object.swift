// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

extension OwnerReference {
    /// Returns nil for an unmanaged object.
    init?(_ object: ObjectBase) {
        guard let realm = object._rlmRow.realm, let managed = object._rlmRow.managed else { return nil }
        self.init(
            realm, managed, object._rlmRow.key, createdInWrite: object._rlmRow.createdInWrite,
            epoch: object._rlmRow.epoch)
    }
}
