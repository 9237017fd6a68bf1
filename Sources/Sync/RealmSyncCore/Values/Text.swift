// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A string of a changeset: the name of a class or a property, a key, or a value. Both peers have to see the same
/// names, so the bytes are stored unchanged.
package typealias Text = ByteText
