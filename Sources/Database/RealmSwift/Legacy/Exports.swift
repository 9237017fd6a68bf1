// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Models use Foundation's types (`Date`, `UUID`, `Data`), and with the original, files that import only RealmSwift
// compile.
@_exported import Foundation

#if canImport(OpenCombine) && !canImport(Darwin)
    // Files of models and managers import no other modules: on Apple's platforms Foundation makes Combine visible to
    // them. A name exported here takes precedence over that of another module, so only names that apps don't use for
    // their own types are exported.
    @_exported import class RegnumCombine.AnyCancellable
    @_exported import struct RegnumCombine.AnyPublisher
    @_exported import class RegnumCombine.CurrentValueSubject
    @_exported import protocol RegnumCombine.ObservableObject
    @_exported import class RegnumCombine.ObservableObjectPublisher
    @_exported import class RegnumCombine.PassthroughSubject
    @_exported import struct RegnumCombine.Published
#endif

#if !canImport(ObjectiveC)
    /// Runs `body`. Platforms without Objective-C have no pools to drain; this lets code that uses one compile
    /// unchanged. A function of this name declared by a program takes precedence.
    ///
    /// - Parameter body: The function to run.
    /// - Returns: The result of `body`.
    /// - Throws: Any error thrown by `body`.
    @_disfavoredOverload
    public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
#endif
