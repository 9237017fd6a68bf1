// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// No client can apply the change.
struct StateError: Error, CustomStringConvertible {
    /// Contains names of classes and properties, and no values or keys of objects, because the server logs it.
    let message: String

    @inline(never) init(_ message: String) { self.message = message }

    var description: String { "bad changeset: \(message)" }
}
