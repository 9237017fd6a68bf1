// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Code for the original imports its Objective-C half by this name. Here both halves are one module, which also declares
// the names of that half (`RealmSwift/Legacy/ObjectiveCNames.swift`).
@_exported import RealmSwift
