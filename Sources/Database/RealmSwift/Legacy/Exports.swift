// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Models name Foundation's types (`Date`, `UUID`, `Data`), and with the original, files that import only RealmSwift
// compile.
@_exported import Foundation

#if canImport(OpenCombine) && !canImport(Darwin)
    // Files of models and managers import nothing more: on Apple's platforms Foundation lets them see Combine. A name
    // here is preferred to that of another module, so these are names that no app gives to something of its own.
    @_exported import class RegnumCombine.AnyCancellable
    @_exported import struct RegnumCombine.AnyPublisher
    @_exported import class RegnumCombine.CurrentValueSubject
    @_exported import protocol RegnumCombine.ObservableObject
    @_exported import class RegnumCombine.ObservableObjectPublisher
    @_exported import class RegnumCombine.PassthroughSubject
    @_exported import struct RegnumCombine.Published
#endif

#if !canImport(ObjectiveC)
    /// Runs `body`. Where there is no Objective-C there are no pools to drain, and code that names one compiles
    /// unchanged. A function of this name that a program has declared for itself is preferred.
    ///
    /// - Parameter body: What to run.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    @_disfavoredOverload
    public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
#endif
