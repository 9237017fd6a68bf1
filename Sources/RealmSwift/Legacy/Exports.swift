// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Models name Foundation's types (`Date`, `UUID`, `Data`), and with the original, files that import only RealmSwift
// compile.
@_exported import Foundation

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
