// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The precedence of conflicting changes: by time of commit, then by file ident (§4.1).
///
/// Changesets of different files never have the same order.
package struct ChangeOrder: Hashable, Comparable, Sendable {
    /// Milliseconds since 2015.
    package var timestamp: UInt64
    package var fileIdent: UInt64

    /// The file ident of the server's own changes.
    package static let serverIdent: UInt64 = 1

    package init(timestamp: UInt64, fileIdent: UInt64) {
        self.timestamp = timestamp
        self.fileIdent = fileIdent
    }

    package static func < (a: ChangeOrder, b: ChangeOrder) -> Bool {
        a.timestamp == b.timestamp ? a.fileIdent < b.fileIdent : a.timestamp < b.timestamp
    }
}

/// An error for changesets that can't be merged because they contradict each other or themselves. The file that sent
/// them can't continue.
package struct MergeError: Error, Hashable, CustomStringConvertible {
    package let message: String

    package static let tooLong = MergeError("too many changes of this file conflict with those of others")

    @inline(never) package init(_ message: String) { self.message = message }

    package var description: String { "bad changeset: \(message)" }
}
