// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An iterator over the values of a mixed column of formats 2 to 9 (older 5.10).
struct RowMixed {
    private let converter: RowConverter
    private let root: Ref
    private let depth: Int
    private var kinds: RowInts
    private var data: RowInts
    private let binaryRoot: Ref
    private let dates: RowDates?
    private var binaries: [Ref: RowBytes] = [:]
    private var count: Int64 = 0

    private var reader: RowReader { converter.reader }

    init(_ converter: RowConverter, _ root: Ref, depth: Int = 0) throws {
        self.converter = converter
        self.root = root
        self.depth = depth
        let reader = converter.reader
        let top = try reader.refs(root)
        guard 2...4 ~= top.count else { throw ColumnLeaf.wrongNode(root) }
        kinds = RowInts(reader, try top.child(0))
        data = RowInts(reader, try top.child(1), holdsRefs: true)
        binaryRoot = top.count > 2 ? try top.child(2) : 0
        let datesRoot = top.count > 3 ? try top.child(3) : 0
        dates = datesRoot == 0 ? nil : try RowDates(reader, datesRoot)
    }

    mutating func next() throws -> ExactValue? {
        guard let kind = try kinds.next()?.value else {
            guard try data.next() == nil else { throw damaged }
            return nil
        }
        guard let kind = RowMixedKind(rawValue: kind), let element = try data.next()?.value else { throw damaged }
        count += 1
        guard kind != .table else { return .other(try table(element)) }
        // Fresh rows of early formats contain a plain 0.
        guard element == 0 || Tagged.isTagged(element) else { throw damaged }
        return try value(kind, Tagged.decode(element))
    }

    private mutating func value(_ kind: RowMixedKind, _ number: UInt64) throws -> ExactValue {
        let negative = number | 1 << 63
        switch kind {
        case .int: return .other(.int(Int64(bitPattern: number)))
        case .negativeInt: return .other(.int(Int64(bitPattern: negative)))
        case .bool: return .other(.bool(number != 0))
        case .float: return .other(.float(Float(bitPattern: UInt32(truncatingIfNeeded: number))))
        case .double: return .other(.double(Double(bitPattern: number)))
        case .negativeDouble: return .other(.double(Double(bitPattern: negative)))
        case .oldDate:
            // The sign bit of dates before 1970 was lost.
            let seconds = Int64(bitPattern: number >> 62 == 0 ? number : negative)
            return .other(.timestamp(Timestamp(seconds: seconds, nanoseconds: 0)))
        case .timestamp: return .other(.timestamp(try date(Int(clamping: number))))
        case .string:
            let bytes = try binary(Int(clamping: number))
            guard bytes.last == 0 else { throw damaged }
            return .text(Array(bytes.dropLast()))
        case .binary: return .other(.binary(try binary(Int(clamping: number))))
        case .table: throw damaged
        }
    }

    /// Converts a table in a mixed value, which the current format doesn't have, to a list of dictionaries from column
    /// names to values.
    private func table(_ element: Int64) throws -> StoredValue {
        guard element != 0, !Tagged.isTagged(element) else { throw damaged }
        let table = try reader.refs(Ref(element: element))
        guard table.count == RowFormat.Table.count else { throw damaged }
        let columns = try RowSpec(reader: reader).columns(try table.child(RowFormat.Table.spec), depth: 1).columns
        let rows = try table.child(RowFormat.Table.columns)
        return try RowNested(converter: converter).rows(rows.element, columns, depth: depth + 1, key: count)
    }

    // MARK: Values in other columns

    private mutating func binary(_ index: Int) throws -> [UInt8] {
        let (leaf, row) = try place(of: index, below: binaryRoot)
        let values = try binaries[leaf.ref] ?? RowBytes(reader, leaf, .binary)
        binaries[leaf.ref] = values
        guard let bytes = unsafe try values.value(at: row) else { throw damaged }
        try reader.spend(bytes.count, at: leaf.ref)
        return unsafe [UInt8](bytes)
    }

    private func date(_ index: Int) throws -> Timestamp {
        guard let dates else { throw damaged }
        let (seconds, row) = try place(of: index, below: dates.secondsRoot)
        let value = try seconds.plain().element(row + 1)
        guard value != (try seconds.element(0)) else { throw damaged }
        let (nanoseconds, place) = try place(of: index, below: dates.nanosecondsRoot)
        return try RowDates.timestamp(value, try nanoseconds.plain().element(place), at: root)
    }

    /// Returns the leaf that contains an element, and the element's row in it.
    private func place(of index: Int, below root: Ref) throws -> (leaf: Node, row: Int) {
        let space = reader.space
        var (ref, row) = (root, index)
        for _ in 0..<BPlusTree.maximumDepth {
            let node = try space.node(ref)
            guard node.header.isInner else { return (node, row) }
            let (child, offset) = try TreeBranch.child(of: node, holding: row, in: space)
            (ref, row) = (try node.child(child + 1), row - offset)
        }
        throw RowReader.endless(root)
    }

    private var damaged: any Error {
        StorageError.corrupt("an impossible value in a mixed column; the file is damaged", at: root)
    }
}
