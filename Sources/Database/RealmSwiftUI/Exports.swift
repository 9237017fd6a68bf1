// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// On Apple's platforms the wrappers are part of `RealmSwift`. This module lets portable packages depend on the same
// product everywhere. On other platforms it is built from `Sources/Database/RealmSwift/SwiftUI` instead of this file.
@_exported import RealmSwift
