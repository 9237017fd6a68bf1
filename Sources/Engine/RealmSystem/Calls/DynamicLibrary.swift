// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A library that the system's loader finds at run time, so that a build doesn't need it.
///
/// It stays loaded unless it is closed. Immutable; the loader owns the handle.
@safe
package struct DynamicLibrary {
    private let handle: UnsafeMutableRawPointer

    package struct MissingFunction: Error {
        package let name: String
    }

    package init?(_ name: String) {
        guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
        unsafe self.handle = handle
    }

    /// - Precondition: `Function` is the type of the C function with this name.
    package func function<Function>(_ name: String) throws(MissingFunction) -> Function {
        guard let address = unsafe dlsym(handle, name) else { throw MissingFunction(name: name) }
        return unsafe unsafeBitCast(address, to: Function.self)
    }

    package func close() { unsafe dlclose(handle) }
}
