// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Converts the columns of formats 2 to 9 to leaves of the current format (older 5).
struct RowConverter {
    let reader: RowReader
    let store: NodeStore
    let progress: RowProgress

    typealias Made = (leaves: [Ref], count: Int)

    /// The distinct strings of a column that stays enumerated.
    struct EnumKeys {
        let ref: Ref
        let count: Int
    }

    struct Form {
        var isNullable: Bool
        var capacity: Int
        var enumKeys: EnumKeys?
    }

    func leaves(of column: RowColumn, _ roots: [Ref], _ form: Form) throws -> Made {
        switch column.type {
        case .int where form.isNullable: try optionalInts(roots, column, form)
        case .int: try integers(roots, form) { value, _ in value }
        case .bool:
            try integers(roots, form, hasMarker: column.isNullable) { value, isNull in
                isNull ? form.isNullable ? PackedElement.nullBool : 0 : value == 0 ? 0 : 1
            }
        case .string: try bytes(roots, .string, form)
        case .binary: try bytes(roots, .binary, form)
        case .enumerated: try enumerated(roots, column, form)
        case .oldDate: try oldDates(roots, column, form)
        case .timestamp: try timestamps(roots, form)
        case .float: try floating(roots, form, null: FloatingNull.float, nan: Float.nan.bitPattern)
        case .double: try floating(roots, form, null: FloatingNull.double, nan: Double.nan.bitPattern)
        case .mixed: try mixed(roots, form)
        case .link, .linkList, .table, .backlink: preconditionFailure("a column without values of its own")
        }
    }

    private func gatherer<Value>(
        _ form: Form, _ make: @escaping ([Value]) throws -> Ref
    ) -> RowGatherer<Value> {
        RowGatherer(capacity: form.capacity) { [progress] values in
            progress.advance(by: values.count)
            return try make(values)
        }
    }

    // MARK: Numbers

    /// Converts packed integers. `convert` receives each integer and whether it's null.
    func integers(
        _ roots: [Ref], _ form: Form, hasMarker: Bool = false, _ convert: (Int64, Bool) throws -> Int64
    ) throws -> Made {
        var made = gatherer(form) { try ColumnLeafBuilder(store).integers($0) }
        for root in roots {
            var ints = RowInts(reader, root, hasMarker: hasMarker)
            while let (leaf, first) = try ints.nextLeaf() {
                for index in first..<leaf.count {
                    try made.append(try convert(leaf[index], hasMarker && leaf[index] == leaf[0]))
                }
            }
        }
        return (try made.finish(), made.count)
    }

    private func optionalInts(_ roots: [Ref], _ column: RowColumn, _ form: Form) throws -> Made {
        var made: RowGatherer<Int64?> = gatherer(form) { try OptionalIntLeafEditor(store).create($0) }
        for root in roots {
            var ints = RowInts(reader, root, hasMarker: column.isNullable)
            while let (value, isNull) = try ints.next() { try made.append(isNull ? nil : value) }
        }
        return (try made.finish(), made.count)
    }

    /// In a required column the bits of null are an ordinary NaN, which the current format can't distinguish from null.
    private func floating<Bits: FixedWidthInteger & UnsignedInteger>(
        _ roots: [Ref], _ form: Form, null: Bits, nan: Bits
    ) throws -> Made {
        var made: RowGatherer<Bits> = gatherer(form) { try ColumnLeafBuilder(store).floating($0) }
        let size = Bits.bitWidth / 8
        for root in roots {
            var leaves = RowLeaves(reader, root)
            while let leaf = try leaves.next() {
                let values = try leaf.fixed(width: size)
                for index in 0..<values.count {
                    let bits = unsafe values.payload.loadUnaligned(fromByteOffset: index * size, as: Bits.self)
                    try made.append(bits == null && !form.isNullable ? nan : bits)
                }
            }
        }
        return (try made.finish(), made.count)
    }

    // MARK: Dates

    private func oldDates(_ roots: [Ref], _ column: RowColumn, _ form: Form) throws -> Made {
        var made = gatherer(form) { try ColumnLeafBuilder(store).timestamps($0) }
        for root in roots {
            var seconds = RowInts(reader, root, hasMarker: column.isNullable)
            while let (value, isNull) = try seconds.next() {
                try made.append(RowConverter.date(isNull ? nil : Timestamp(seconds: value, nanoseconds: 0), form))
            }
        }
        return (try made.finish(), made.count)
    }

    /// Seconds and nanoseconds are two trees, whose leaves may end in different rows.
    private func timestamps(_ roots: [Ref], _ form: Form) throws -> Made {
        var made = gatherer(form) { try ColumnLeafBuilder(store).timestamps($0) }
        for root in roots {
            let pair = try RowDates(reader, root)
            var (seconds, nanoseconds) = (pair.seconds(), pair.nanoseconds())
            while let (value, isNull) = try seconds.next() {
                guard let fraction = try nanoseconds.next()?.value else { throw RowDates.damaged(root) }
                try made.append(
                    RowConverter.date(isNull ? nil : try RowDates.timestamp(value, fraction, at: root), form))
            }
            guard try nanoseconds.next() == nil else { throw RowDates.damaged(root) }
        }
        return (try made.finish(), made.count)
    }

    private static func date(_ value: Timestamp?, _ form: Form) -> Timestamp? {
        value ?? (form.isNullable ? nil : Timestamp(seconds: 0, nanoseconds: 0))
    }

    // MARK: Strings and binaries

    private func bytes(_ roots: [Ref], _ style: BytesStyle, _ form: Form) throws -> Made {
        var made = unsafe gatherer(form) { unsafe try ColumnLeafBuilder(store).bytes(style, $0) }
        for root in roots {
            unsafe try forEach(style, below: root) { value in
                unsafe try made.append(value ?? (form.isNullable ? nil : RowConverter.empty))
            }
        }
        return unsafe (try made.finish(), made.count)
    }

    private func forEach(
        _ style: BytesStyle, below root: Ref, _ body: (UnsafeRawBufferPointer?) throws -> Void
    ) throws {
        var leaves = RowLeaves(reader, root)
        while let leaf = try leaves.next() {
            let values = try RowBytes(reader, leaf, style)
            for row in 0..<values.count { unsafe try body(values.value(at: row)) }
        }
    }

    static var empty: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: nil, count: 0) }

    func strings(below root: Ref, isNullable: Bool) throws -> [UnsafeRawBufferPointer?] {
        var values = unsafe [UnsafeRawBufferPointer?]()
        unsafe try forEach(.string, below: root) { value in
            try reader.spendRow(at: root)
            unsafe values.append(value ?? (isNullable ? nil : RowConverter.empty))
        }
        return unsafe values
    }

    /// The list of distinct strings of an enumerated column. In the current format it's a single leaf (content 4.5).
    func enumKeys(of column: RowColumn) throws -> EnumKeys? {
        guard column.type == .enumerated else { return nil }
        let values = unsafe try strings(below: column.enumKeys, isNullable: column.isNullable)
        return unsafe EnumKeys(ref: try ColumnLeafBuilder(store).bytes(.string, values), count: values.count)
    }

    /// Converts indexes in a list of strings. In a list of primitives, they're replaced by the strings, because only
    /// columns can be enumerated.
    private func enumerated(_ roots: [Ref], _ column: RowColumn, _ form: Form) throws -> Made {
        if let keys = form.enumKeys {
            return try integers(roots, form) { index, _ in
                guard 0..<Int64(keys.count) ~= index else { throw ColumnLeaf.noRow(column.enumKeys) }
                return index
            }
        }
        let keys = unsafe try strings(below: column.enumKeys, isNullable: form.isNullable)
        var made = unsafe gatherer(form) { unsafe try ColumnLeafBuilder(store).bytes(.string, $0) }
        for root in roots {
            var indexes = RowInts(reader, root)
            while let index = try indexes.next()?.value {
                guard unsafe 0..<Int64(keys.count) ~= index else { throw ColumnLeaf.noRow(column.enumKeys) }
                unsafe try reader.spend(keys[Int(index)]?.count ?? 0, at: root)
                unsafe try made.append(keys[Int(index)])
            }
        }
        return unsafe (try made.finish(), made.count)
    }

    private func mixed(_ roots: [Ref], _ form: Form) throws -> Made {
        var made = gatherer(form) { try BPlusTreeEditor(store, .mixed).createLeaf($0) }
        for root in roots {
            var values = try RowMixed(self, root)
            while let value = try values.next() { try made.append(value) }
        }
        return (try made.finish(), made.count)
    }

    // MARK: Lists

    /// Creates a tree over leaves of `Form.capacity` elements. An empty list has no tree.
    func list(_ made: Made) throws -> Ref {
        made.leaves.isEmpty ? 0 : try BPlusTreeEditor(store, .key).join(made.leaves, count: made.count)
    }

    func elementForm(of column: RowColumn, in list: RowColumn) -> Form {
        Form(isNullable: column.isNullable || list.isNullable, capacity: store.treeCapacity)
    }

    /// Converts the list in a row of a column of lists of primitives; returns 0 for an empty one.
    func list(_ element: Int64, of column: RowColumn, in list: RowColumn) throws -> Ref {
        guard let rows = try RowSubtable(reader, element, [column]) else { return 0 }
        return try self.list(try leaves(of: column, rows.roots, elementForm(of: column, in: list)))
    }
}
