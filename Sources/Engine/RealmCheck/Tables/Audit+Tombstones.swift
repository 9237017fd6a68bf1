// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Placeholders of missing objects with incoming links (content 5.8).
extension Audit {
    /// A tombstone contains defaults except for its primary key and its backlinks.
    func checkTombstoneValue(_ table: Table, _ column: Column, _ key: Int64, _ value: Datum) {
        if isDefault(value, of: column) { return }
        violation(table.top[FileFormat.Table.tombstones], "2:5.8", "\(column.label): tombstone \(key) holds a value")
    }

    /// Content 10.2.
    private func isDefault(_ value: Datum, of column: Column) -> Bool {
        if column.kind != nil || column.isNullable { return value.isNull }
        switch value {
        case .int(let number): return number == 0
        case .bool(let flag): return !flag
        case .string(let run), .binary(let run): return run.count == 0
        case .timestamp(let seconds, let nanoseconds): return seconds == 0 && nanoseconds == 0
        case .float(let bits): return bits == 0
        case .double(let bits): return bits == 0
        case .decimal(let bits): return bits == DecimalNumber.zeroBits
        case .objectId(let run), .uuid(let run): return array(run).allSatisfy { $0 == 0 }
        default: return value.isNull
        }
    }

    /// A tombstone is identified by its primary key, and has backlinks.
    func checkTombstones(of table: Table, _ primaries: [(key: Int64, value: Datum)]) throws(Damage) {
        let collided = try collisionKeys(of: table)
        let root = table.top[FileFormat.Table.tombstones]
        for (key, value) in primaries {
            if case .string(let run) = value, !canWork(run.count) { break }
            let resolved = -2 &- key
            if resolved != localKey(value), !collided.contains(resolved) {
                violation(root, "2:1.6", "tombstone \(key) does not answer to its primary key")
            }
        }
        guard table.columns.allSatisfy({ $0.type != .backlink || !$0.isBroken }) else { return }
        for (row, count) in table.tombBacklinks.enumerated() where count == 0 {
            remnant(root, "2:5.8 M43", "tombstone \(table.tombs.key(row)) without backlinks")
        }
    }

    /// Content 1.5, 1.6 without a collision map.
    private func localKey(_ value: Datum) -> Int64 {
        let low: UInt64
        switch value {
        case .int(let number): low = UInt64(bitPattern: number)
        case .uuid(let run): low = littleEndian(array(run)[8..<16])
        case .string(let run), .objectId(let run): low = littleEndian(SHA1.digest(of: array(run))[..<8])
        default: low = 0
        }
        return Int64(low & 0x3FFF_FFFF_FFFF_FFFF)
    }

    private func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The local keys of the collision map (content 3.3).
    private func collisionKeys(of table: Table) throws(Damage) -> Set<Int64> {
        let ref = table.top[FileFormat.Table.collisions]
        if ref == 0 { return [] }
        let slots = try refArray(ref, "collision map", limit: 3)
        guard slots.count == 3, slots.allSatisfy(isRef) else {
            throw Damage(ref, "2:3.3", "collision map with \(slots)")
        }
        let low = try intArray(slots[0], "collision map", limit: 1 << 20)
        let high = try intArray(slots[1], "collision map", limit: 1 << 20)
        let local = try intArray(slots[2], "collision map", limit: 1 << 20)
        let pairs = zip(high, low).map { ($0, UInt64(bitPattern: $1)) }
        guard low.count == high.count, low.count == local.count,
            zip(pairs, pairs.dropFirst()).allSatisfy({ $0 < $1 })
        else { throw Damage(ref, "2:3.3", "collision map is not sorted") }
        return Set(local)
    }
}
