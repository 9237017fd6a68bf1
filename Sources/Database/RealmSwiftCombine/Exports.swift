// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// On Apple's platforms the publishers are part of `RealmSwift`. This module lets portable code import the same module
// everywhere. On other platforms it is built from `Sources/Database/RealmSwift/Publishers` instead of this file.
@_exported import RealmSwift
