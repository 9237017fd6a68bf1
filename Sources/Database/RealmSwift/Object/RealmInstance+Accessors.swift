// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension RealmInstance {
    /// Returns an accessor of a class that was already looked up; with `place`, the first read needs no look-up.
    func object<Element: ObjectBase>(
        of type: Element.Type, _ managed: ManagedClass, _ key: ObjectKey, at place: RowLocation? = nil
    ) -> Element {
        let object = type.init()
        object.manageFresh(self, managed, key, at: place, keptBy: self)
        return object
    }
}
