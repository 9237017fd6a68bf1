// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The Combine API on platforms without Apple's: OpenCombine, and the declarations missing there.
#if canImport(OpenCombine)
    @_exported import OpenCombine
    @_exported import OpenCombineDispatch
    @_exported import OpenCombineFoundation
#endif
