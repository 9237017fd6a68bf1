// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The module `Combine` on platforms without Apple's. It only exports other modules, including the publishers of Realm,
// which are part of `RealmSwift` on Apple's platforms.
@_exported import RealmSwiftCombine
@_exported import RegnumCombine
#if canImport(OpenCombine)
    // Takes precedence over OpenCombine's protocol in a file that also imports OpenCombine.
    @_exported import protocol RegnumCombine.ObservableObject
#endif
