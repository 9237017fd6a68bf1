// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Making the objects through which rows are read and written.
extension RealmInstance {
    /// An accessor of the object with `key` of a class.
    func object<Element: ObjectBase>(of type: Element.Type, _ key: ObjectKey) -> Element {
        object(of: type, requireManaged(type), key)
    }

    /// An accessor like that of `object(of:_:)`, of a class that is known already; with `place`, the first read needs
    /// no look-up.
    func object<Element: ObjectBase>(
        of type: Element.Type, _ managed: ManagedClass, _ key: ObjectKey, at place: RowLocation? = nil
    ) -> Element {
        let object = type.init()
        object.manageFresh(self, managed, key, at: place, keptBy: self)
        return object
    }
}
