// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Arrays of Mixed (content 6.14).
extension Audit {
    /// A collection inside a Mixed value that isn't read yet.
    struct NestedCollection {
        let ref: Int64
        let isList: Bool
        /// The collection of the column, or of the Mixed property, is level 1 (content 7.7).
        let level: Int
        /// The live object that owns it; nil in a tombstone.
        let owner: Int64?
    }

    /// The content of one Mixed array: a value for each row, and the nested collections by row.
    struct MixedRows {
        var values: [Datum] = []
        var nested: [(row: Int, ref: Int64, isList: Bool)] = []
    }

    /// Reads one Mixed array. `keys` checks the collection keys of the whole tree.
    func mixedLeaf(_ ref: Int64, _ rows: Rows, _ keys: inout CollectionKeys) throws(Damage) -> MixedRows {
        let node = try expect(ref, "column leaf", Node.refs)
        guard FileFormat.Mixed.legalCounts.contains(node.count) else {
            throw Damage(ref, "2:6.14 M14", "Mixed array of \(node.count) slots")
        }
        if node.count < FileFormat.Mixed.count { remnant(ref, "2:13.3 M23", "Mixed array of \(node.count) slots") }
        let slots = try ints(node) + Array(repeating: 0, count: FileFormat.Mixed.count - node.count)
        guard isRef(slots[0]) else { throw Damage(ref, "2:6.14", "Mixed array without descriptors") }
        let descriptors = try intLeaf(slots[0], rows)
        var payloads = try MixedPayloads(self, ref, slots, rows: descriptors.count)
        var result = MixedRows()
        result.values.reserveCapacity(descriptors.count)
        for (row, descriptor) in descriptors.enumerated() {
            result.values.append(try payloads.value(descriptor, row, &result))
        }
        payloads.checkAllUsed()
        let collectionKeys = try readKeys(slots[FileFormat.Mixed.keys], ref, rows: descriptors.count)
        keys.add(ref, result.values, collectionKeys, slots: node.count, self)
        return result
    }

    private func readKeys(_ keysRef: Int64, _ ref: Int64, rows: Int) throws(Damage) -> [Int64] {
        if keysRef == 0 { return [] }
        guard isRef(keysRef) else { throw Damage(ref, "2:6.14", "payload slot holds \(keysRef)") }
        let keys = try intArray(keysRef, "collection keys", limit: max(rows, FileFormat.treeNodeCapacity))
        if keys.count > rows {
            violation(ref, "2:6.14 M37", "\(keys.count) collection keys for \(rows) rows")
        } else if keys.count < rows {
            remnant(ref, "2:13.4 M37", "\(keys.count) collection keys for \(rows) rows")
        }
        return keys
    }
}

/// The payload arrays of one Mixed array, and which of their entries are used.
private struct MixedPayloads {
    private let audit: Audit
    private let ref: Int64
    private let ints: [Int64]
    private let pairs: [Int64]
    private let strings: [ByteRun]
    private let refs: [Int64]
    /// For each of the four arrays, whether a descriptor refers to the entry.
    private var used: [[Bool]]
    private var isUsedTwice = [false, false, false, false]

    init(_ audit: Audit, _ ref: Int64, _ slots: [Int64], rows: Int) throws(Damage) {
        self.audit = audit
        self.ref = ref
        for slot in slots[1...4] where slot != 0 && !isRef(slot) {
            throw Damage(ref, "2:6.14", "payload slot holds \(slot)")
        }
        ints = slots[1] == 0 ? [] : try audit.intArray(slots[1], "payload", limit: rows)
        pairs = slots[2] == 0 ? [] : try audit.intArray(slots[2], "payload", limit: 2 * rows)
        strings = slots[3] == 0 ? [] : try audit.stringLeaf(slots[3], .upTo(rows))
        refs = slots[4] == 0 ? [] : try audit.refArray(slots[4], "payload", limit: rows)
        used = [ints.count, pairs.count / 2, strings.count, refs.count].map { Array(repeating: false, count: $0) }
    }

    mutating func value(_ descriptor: Int64, _ row: Int, _ rows: inout Audit.MixedRows) throws(Damage) -> Audit.Datum {
        if descriptor == 0 { return .null }
        let type = ColumnType(rawValue: UInt8(descriptor & 31) &- 1)
        let payload = Int(descriptor >> 5 & 7)
        let number = descriptor >> 8
        guard let type, Self.payloads(of: type).contains(payload) else {
            throw Damage(ref, "2:6.14", "Mixed descriptor \(descriptor): type or payload unknown")
        }
        if payload == 0 { return inline(type, number) }
        let entry = try claim(payload, number, descriptor)
        switch payload {
        case 1: return self.number(type, ints[entry])
        case 2: return pair(type, pairs[2 * entry], pairs[2 * entry + 1])
        case 3: return try text(type, strings[entry])
        default: return try collection(type, refs[entry], row, &rows)
        }
    }

    private static func payloads(of type: ColumnType) -> [Int] {
        switch type {
        case .int: [0, 1]
        case .bool: [0]
        case .float, .double, .link: [1]
        case .timestamp, .decimal, .typedLink: [2]
        case .string, .binary, .objectId, .uuid: [3]
        case .list, .dictionary: [4]
        default: []
        }
    }

    private mutating func claim(_ payload: Int, _ number: Int64, _ descriptor: Int64) throws(Damage) -> Int {
        let count = used[payload - 1].count
        guard number >= 0, number < count else {
            throw Damage(ref, "2:6.14", "Mixed descriptor \(descriptor) names entry \(number) of \(count)")
        }
        let entry = Int(number)
        if used[payload - 1][entry] { isUsedTwice[payload - 1] = true }
        used[payload - 1][entry] = true
        return entry
    }

    /// Each payload entry belongs to exactly one row.
    func checkAllUsed() {
        for (i, flags) in used.enumerated() where isUsedTwice[i] || flags.contains(false) {
            audit.violation(ref, "2:6.14", "payload array \(i + 1): entries that are not used exactly once")
        }
        if pairs.count & 1 != 0 { audit.violation(ref, "2:6.14", "payload array 2 of \(pairs.count) elements") }
    }

    private func inline(_ type: ColumnType, _ number: Int64) -> Audit.Datum {
        if type == .bool {
            if number != 0, number != 1 { audit.violation(ref, "2:6.14", "boolean \(number)") }
            return .bool(number != 0)
        }
        if Int32(exactly: number) == nil { audit.violation(ref, "2:6.14", "inline integer \(number)") }
        return .int(number)
    }

    private func number(_ type: ColumnType, _ number: Int64) -> Audit.Datum {
        switch type {
        case .int:
            if Int32(exactly: number) != nil { audit.remnant(ref, "2:6.14", "integer \(number) could be inline") }
            return .int(number)
        case .link:
            audit.remnant(ref, "2:6.14", "plain link in Mixed")
            return .link(number)
        case .float:
            let bits = UInt32(truncatingIfNeeded: number)
            if Int64(bits) != number { audit.violation(ref, "2:6.14", "float bits \(number)") }
            if bits == NullPattern.float { audit.violation(ref, "2:6.14 M8", "null pattern stored as a number") }
            return .float(bits)
        default:
            let bits = UInt64(bitPattern: number)
            if bits == NullPattern.double { audit.violation(ref, "2:6.14 M8", "null pattern stored as a number") }
            return .double(bits)
        }
    }

    private func pair(_ type: ColumnType, _ first: Int64, _ second: Int64) -> Audit.Datum {
        switch type {
        case .timestamp:
            audit.checkTimestamp(ref, first, second)
            return .timestamp(seconds: first, nanoseconds: second)
        case .decimal:
            let bits = DecimalBits(low: UInt64(bitPattern: first), high: UInt64(bitPattern: second))
            if bits == NullPattern.decimal { audit.violation(ref, "2:6.14 M8", "null pattern stored as a decimal") }
            return .decimal(bits)
        default:
            return .typedLink(table: first, object: second)
        }
    }

    private func text(_ type: ColumnType, _ run: ByteRun) throws(Damage) -> Audit.Datum {
        if run.isNull { throw Damage(ref, "2:6.14", "descriptor of a string whose payload is null") }
        switch type {
        case .string:
            audit.checkText(ref, run)
            return .string(run)
        case .binary:
            return .binary(run)
        default:
            let size = type == .objectId ? ObjectIdBytes.byteCount : UUIDBytes.byteCount
            if run.count != size { throw Damage(ref, "2:6.14", "identifier of \(run.count) bytes") }
            return type == .objectId ? .objectId(run) : .uuid(run)
        }
    }

    /// A null ref is an empty collection (content 6.15).
    private func collection(
        _ type: ColumnType, _ root: Int64, _ row: Int, _ rows: inout Audit.MixedRows
    ) throws(Damage) -> Audit.Datum {
        if root != 0 {
            guard isRef(root) else { throw Damage(ref, "2:6.14", "nested collection at \(root)") }
            rows.nested.append((row, root, type == .list))
        }
        return type == .list ? .list : .dictionary
    }
}

/// The keys of nested collections (content 6.14, slot 5), over one Mixed leaf or over a whole tree of them.
struct CollectionKeys {
    let isTree: Bool
    private var keys: Set<Int64> = []
    private var shortLeaf: Int64?
    private var hasNested = false

    init(isTree: Bool) { self.isTree = isTree }

    mutating func add(_ ref: Int64, _ values: [Audit.Datum], _ rowKeys: [Int64], slots: Int, _ audit: Audit) {
        if slots < FileFormat.Mixed.count { shortLeaf = ref }
        for (row, value) in values.enumerated() {
            let key = row < rowKeys.count ? rowKeys[row] : 0
            if value.isCollection { hasNested = true }
            if value.isCollection != (key != 0) || Int32(exactly: key) == nil {
                audit.violation(ref, "2:6.14 M37", "collection key \(key) in row \(row)")
            }
            if key != 0, isTree, !keys.insert(key).inserted {
                audit.violation(ref, "2:6.14 M37", "collection key \(key) occurs twice in the tree")
            }
        }
    }

    func finish(_ audit: Audit) {
        if let shortLeaf, hasNested {
            audit.violation(shortLeaf, "2:6.14 M23", "leaf of fewer than 6 slots beside nested collections")
        }
    }
}
