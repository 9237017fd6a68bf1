// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// SwiftUI has the declarations that our own toolkit has of it, annotated as Apple's are.

@_exported import RegnumUI
