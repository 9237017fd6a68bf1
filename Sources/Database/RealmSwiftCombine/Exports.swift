// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// On Apple's platforms the publishers are part of `RealmSwift`; this lets portable code import the same module
// everywhere. Elsewhere the module is made of `Sources/Database/RealmSwift/Publishers`, and this file is no part of it.
@_exported import RealmSwift
