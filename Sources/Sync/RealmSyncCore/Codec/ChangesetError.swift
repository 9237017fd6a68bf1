// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct ChangesetError: Error, Hashable, CustomStringConvertible {
    package let message: String
    package let offset: Int

    @inline(never) init(_ message: String, at offset: Int) {
        self.message = message
        self.offset = offset
    }

    package var description: String { "bad changeset at byte \(offset): \(message)" }
}
