// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// On Apple's platforms the wrappers are part of `RealmSwift`; this lets portable packages depend on the same product
// everywhere. Elsewhere the module is made of `Sources/Database/RealmSwift/SwiftUI`, and this file is no part of it.
@_exported import RealmSwift
