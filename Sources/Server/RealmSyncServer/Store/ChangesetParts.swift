// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// Instructions, divided into changesets by their encoded size.
struct ChangesetParts: InstructionOutput {
    private let size: Int
    private var encoder = ChangesetEncoder()
    private var parts: [[Instruction]] = [[]]

    /// - Parameter size: The size in bytes at which a changeset ends, including the instruction that exceeds it.
    init(size: Int = .max) { self.size = size }

    mutating func append(_ instruction: Instruction) {
        if encoder.bytes.count > size {
            parts.append([])
            encoder = ChangesetEncoder()
        }
        if size < .max { encoder.append(instruction) }
        parts[parts.count - 1].append(instruction)
    }

    /// Returns all instructions.
    mutating func takeInstructions() -> [Instruction] {
        defer { self = ChangesetParts(size: size) }
        return Array(parts.joined())
    }

    /// Returns the changesets except for the last one, which isn't complete.
    mutating func takeFull() -> [Changeset] {
        guard parts.count > 1 else { return [] }
        defer { parts.removeFirst(parts.count - 1) }
        return parts.dropLast().map { Changeset($0) }
    }

    /// The changesets that weren't taken. Empty without instructions.
    var changesets: [Changeset] { parts == [[]] ? [] : parts.map { Changeset($0) } }
}
