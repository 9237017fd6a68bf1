// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Code written for the original imports its Objective-C half by this name. Here both halves are one module, which has
// the names of that half too (`RealmSwift/Legacy/ObjectiveCNames.swift`).
@_exported import RealmSwift
