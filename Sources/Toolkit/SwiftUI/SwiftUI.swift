// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The module `SwiftUI` on platforms without Apple's. It only exports other modules.
@_exported import RealmSwiftUI
@_exported import RegnumUI
@_exported import RegnumUIServer
