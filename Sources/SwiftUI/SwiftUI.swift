// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// What a program means by `import SwiftUI` where there is no SwiftUI of Apple's. The module has nothing of its own.
#if !REGNUM_HOST
    @_exported import RealmSwiftUI
#endif
@_exported import RegnumUI
@_exported import RegnumUIServer
