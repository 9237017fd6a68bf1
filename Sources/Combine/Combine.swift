// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// What a program means by `import Combine` where there is no Combine of Apple's. The module has nothing of its own. It
// brings the publishers of Realm too, which are part of `RealmSwift` on Apple's platforms.
#if canImport(OpenCombine)
    @_exported import OpenCombine
    @_exported import OpenCombineDispatch
    @_exported import OpenCombineFoundation
#endif
@_exported import RealmSwiftCombine
