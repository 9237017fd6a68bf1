// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Combine has the declarations that OpenCombine has of it; what both add to Dispatch has other names.

@_exported import OpenCombine
