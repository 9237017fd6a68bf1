// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A string of a changeset: the name of a class or a property, a key, or a value. The bytes are stored unchanged,
/// because both peers have to use the same names.
package typealias Text = ByteText
