// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Apple's SwiftUI re-exports Foundation and Combine, and apps depend on that.
@_exported import Foundation
@_exported import Observation
// All of its declarations have package access.
@_exported import PageMessages
@_exported import RegnumCombine
#if canImport(OpenCombine)
    // Takes precedence over OpenCombine's protocol in a file that also imports OpenCombine.
    @_exported import protocol RegnumCombine.ObservableObject
#endif
