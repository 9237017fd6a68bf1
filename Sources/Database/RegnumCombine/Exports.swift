// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// What files of an app see of Combine where there is none of Apple's: OpenCombine, and what it lacks.
#if canImport(OpenCombine)
    @_exported import OpenCombine
    @_exported import OpenCombineDispatch
    @_exported import OpenCombineFoundation
#endif
