// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The history of a client file (FORMAT.md, "Synchronised files"): numbers, and five columns of one entry for each
/// version. `realm check` decodes the changesets.
extension Audit {
    private enum Slot {
        static let numbers = 2...12
        static let changesets = 13
        static let reciprocals = 14
        static let remoteVersions = 15
        static let originIdents = 16
        static let timestamps = 17
    }

    func checkClientHistory(_ root: Node) throws(Damage) {
        let slots = try ints(root)
        guard slots.count == Self.clientHistorySlots else { return }
        for slot in Slot.numbers where slots[slot] != 0 && slots[slot] & 1 == 0 {
            return violation(root.ref, "1:7.3", "a node in slot \(slot), the place of a number")
        }
        let numbers = slots.map { $0 & 1 == 0 ? 0 : Tagged.decode($0) }
        checkCursors(numbers, root)
        let changesets = try binaries(slots[Slot.changesets])
        let reciprocals = try binaries(slots[Slot.reciprocals])
        let columns = [
            try integers(slots[Slot.remoteVersions]), try integers(slots[Slot.originIdents]),
            try integers(slots[Slot.timestamps]),
        ]
        let counts = [changesets.count, reciprocals.count] + columns.map(\.count)
        guard counts.allSatisfy({ $0 == counts[0] }), UInt64(counts[0]) <= top.version else {
            return violation(root.ref, "1:7.3", "columns of \(counts) entries up to version \(top.version)")
        }
        report.statistics.changesetCount = changesets.count
        // Older clients store changesets uncompressed, including those of other files.
        guard top.historySchema >= Self.firstCompressedSchema else { return }
        for index in changesets.indices {
            checkStored(changesets[index], "changeset", index, root)
            checkStored(reciprocals[index], "reciprocal form", index, root)
        }
    }

    static var clientHistorySlots: Int { 21 }
    private static var firstCompressedSchema: UInt64 { 12 }

    /// Each end's cursor in the other's history never exceeds that history.
    private func checkCursors(_ numbers: [UInt64], _ root: Node) {
        let (latest, download, downloadClient) = (numbers[3], numbers[5], numbers[6])
        let (uploadClient, uploadServer) = (numbers[7], numbers[8])
        let faults = [
            (download > latest, "a download cursor at \(download), beyond the latest server version \(latest)"),
            (downloadClient > uploadClient, "a download cursor at client version \(downloadClient), not uploaded"),
            (uploadClient > top.version, "an upload cursor at \(uploadClient), beyond version \(top.version)"),
            (uploadServer > download, "an upload cursor at server version \(uploadServer), not downloaded"),
        ]
        for (isFault, text) in faults where isFault { violation(root.ref, "1:7.3", text) }
    }

    private func binaries(_ root: Int64) throws(Damage) -> [ByteRun] {
        guard isRef(root) else { return [] }
        var runs: [ByteRun] = []
        _ = try readTree(root, "history") { leaf throws(Damage) in
            let part = try binaryLeaf(leaf, .upTo(FileFormat.treeNodeCapacity), limits: .none)
            runs += part
            return part.count
        }
        return runs
    }

    private func integers(_ root: Int64) throws(Damage) -> [Int64] {
        guard isRef(root) else { return [] }
        var values: [Int64] = []
        _ = try readTree(root, "history") { leaf throws(Damage) in
            let part = try intLeaf(leaf, .treeLeaf)
            values += part
            return part.count
        }
        return values
    }

    /// The stored form is a byte for algorithm and number of size bytes, the size, and the data.
    private func checkStored(_ run: ByteRun, _ what: String, _ index: Int, _ root: Node) {
        guard run.count > 0 else { return }
        let first = byte(run, 0)
        let sizeCount = Int(first & 0x0F)
        guard first >> 4 <= 2, sizeCount <= 8, run.count > sizeCount else {
            return violation(root.ref, "1:7.3", "\(what) \(index) begins with byte \(first)")
        }
        guard first >> 4 == 0 else { return }
        let size = (1..<1 + sizeCount).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(byte(run, $1)) }
        if size != UInt64(run.count - 1 - sizeCount) {
            violation(root.ref, "1:7.3", "\(what) \(index) says that it has \(size) bytes")
        }
    }
}
