// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// Instructions as encoded changesets. Only the bytes are in memory, because instructions are ten times as large.
struct EncodedParts: InstructionOutput {
    private let size: Int
    private var encoder = ChangesetEncoder()
    private var full: [[UInt8]] = []

    /// - Parameter size: The size in bytes at which a changeset ends, including the instruction that exceeds it.
    init(size: Int) { self.size = size }

    mutating func append(_ instruction: Instruction) {
        if encoder.bytes.count > size { end() }
        encoder.append(instruction)
    }

    private mutating func end() {
        full.append(encoder.bytes)
        encoder = ChangesetEncoder()
    }

    /// Returns the changesets that are complete.
    mutating func takeFull() -> [[UInt8]] {
        if full.isEmpty { return [] }
        defer { full = [] }
        return full
    }

    /// Returns all changesets. Empty without instructions.
    mutating func takeAll() -> [[UInt8]] {
        if !encoder.bytes.isEmpty { end() }
        return takeFull()
    }

    /// Joins changesets if there are more than `count`.
    static func joined(_ parts: [[UInt8]], atMost count: Int) throws(ChangesetError) -> [[UInt8]] {
        guard parts.count > count else { return parts }
        let share = parts.count / count + (parts.count % count == 0 ? 0 : 1)
        var joined: [[UInt8]] = []
        for start in stride(from: 0, to: parts.count, by: share) {
            let group = parts[start..<min(start + share, parts.count)]
            joined.append(try Changeset(decodingSeries: Array(group.joined())).encoded())
        }
        return joined
    }
}
