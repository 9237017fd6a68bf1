// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A text of a changeset: the name of a class or a property, a key, a value. Each end has to see the same names, and
/// stores the bytes that it was sent.
package typealias Text = ByteText
