// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The functions of a library of the system. It is loaded on first use and stays loaded until the process ends.
///
/// Only success is cached: a library that can't be opened while the process has no free descriptor may be opened later.
package final class LibraryFunctions<Functions: Sendable>: Sendable {
    private final class Loaded: Sendable {
        let functions: Functions

        init(_ functions: Functions) { self.functions = functions }
    }

    package let names: [String]
    private let find: @Sendable (DynamicLibrary) throws -> Functions
    private let loaded = PublishedOnce<Loaded>()

    package init(names: [String], _ find: @escaping @Sendable (DynamicLibrary) throws -> Functions) {
        self.names = names
        self.find = find
    }

    /// The functions of the first library under one of the names that has all of them; nil if no such library is
    /// installed.
    package var functions: Functions? {
        if let loaded = loaded.value { return loaded.functions }
        for name in names {
            guard let library = DynamicLibrary(name) else { continue }
            do { return loaded.publish(Loaded(try find(library))).functions } catch { library.close() }
        }
        return nil
    }
}
