// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension RealmInstance {
    func object<Element: ObjectBase>(of type: Element.Type, _ key: ObjectKey) -> Element {
        object(of: type, requireManaged(type), key)
    }

    /// Returns an accessor like `object(of:_:)`, for a class that was already looked up; with `place`, the first read
    /// needs no look-up.
    func object<Element: ObjectBase>(
        of type: Element.Type, _ managed: ManagedClass, _ key: ObjectKey, at place: RowLocation? = nil
    ) -> Element {
        let object = type.init()
        object.manageFresh(self, managed, key, at: place, keptBy: self)
        return object
    }
}
