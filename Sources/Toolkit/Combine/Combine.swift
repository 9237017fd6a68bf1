// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// What a program means by `import Combine` where there is no Combine of Apple's. The module has nothing of its own. It
// brings the publishers of Realm too, which are part of `RealmSwift` on Apple's platforms.
@_exported import RealmSwiftCombine
@_exported import RegnumCombine
#if canImport(OpenCombine)
    // Preferred to OpenCombine's in a file that imports that too.
    @_exported import protocol RegnumCombine.ObservableObject
#endif
