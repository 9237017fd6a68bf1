// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

enum WriteSize {
    /// Returns an approximate number of bytes: that of the instruction's value plus 16.
    static func estimate(_ instruction: Instruction) -> Int {
        guard case .change(_, let change) = instruction else { return 16 }
        return 16 + byteCount(change)
    }

    private static func byteCount(_ change: Change) -> Int {
        switch change {
        case .update(let value, _), .updateElement(let value, _), .insert(let value, _), .setInsert(let value):
            switch value {
            case .string(let text): text.string.utf8.count
            case .binary(let bytes): bytes.count
            default: 8
            }
        default: 8
        }
    }

    static func refusal(of changeset: [UInt8], limit: Int) -> StorageError {
        var text =
            "The write has \(changeset.count) bytes of changes; a write to a synchronised Realm can have \(limit)."
        if let (name, size) = largestProperty(of: changeset) { text += " '\(name)' accounts for \(size) of them." }
        return StorageError(.limitExceeded, text + " Divide it into several writes.")
    }

    private static func largestProperty(of changeset: [UInt8]) -> (String, Int)? {
        guard let instructions = try? Changeset(decoding: changeset).instructions else { return nil }
        var sizes: [ColumnReference: Int] = [:]
        for case .change(let place, let change) in instructions {
            sizes[ColumnReference(place.object.table, place.column), default: 0] += byteCount(change)
        }
        return sizes.max { $0.value < $1.value }.map { ("\($0.key.table.string).\($0.key.name.string)", $0.value) }
    }
}
