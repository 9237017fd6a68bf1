// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Apple's SwiftUI lets its users see Foundation and Combine, and their files import nothing else.
@_exported import Foundation
@_exported import Observation
// Its declarations are the package's own.
@_exported import PageMessages
@_exported import RegnumCombine
#if canImport(OpenCombine)
    // Preferred to OpenCombine's in a file that imports that too.
    @_exported import protocol RegnumCombine.ObservableObject
#endif
