// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Columns of rows, in formats 2 to 9 (older 5).
extension Audit {
    /// Reads the columns whose roots are in the array at `ref`: those of a table, or of one row of a column of tables.
    func readRows(of table: RowTable, _ ref: Int64, depth: Int) throws(Damage) {
        if depth > RowFormat.maximumDepth { throw Damage(ref, "3:11.1", "tables nested without end") }
        let roots = try refArray(ref, "columns", limit: 2 * FileFormat.leafIndexCount)
        guard roots.count == table.elementCount else {
            throw Damage(ref, "3:3", "\(roots.count) columns and indexes where \(table.elementCount) belong")
        }
        table.rowCount = table.columns.isEmpty ? 0 : -1
        for column in table.columns {
            let before = place
            place = (before.isEmpty ? table.name : before) + "." + column.name
            defer { place = before }
            guard isRef(roots[column.position]) else { throw Damage(ref, "3:3", "column without root") }
            let count = try readRows(column, roots[column.position], depth)
            if table.rowCount < 0 { table.rowCount = count }
            if count != table.rowCount { throw Damage(ref, "3:4", "\(count) rows where \(table.rowCount) belong") }
            // The content of an index of these formats is irrelevant.
            if column.attributes.contains(.indexed), isRef(roots[column.position + 1]) {
                opaqueRoots.append(roots[column.position + 1])
            }
        }
    }

    private func readRows(_ column: RowColumn, _ root: Int64, _ depth: Int) throws(Damage) -> Int {
        switch column.type {
        case .int, .bool, .oldDate: return try readInts(root, hasMarker: column.isNullable) { _, _ in }
        case .enumerated:
            return try readInts(root) { (_, index) throws(Damage) in
                if index < 0 || index >= column.keyCount {
                    throw Damage(root, "3:5.4", "string \(index) of \(column.keyCount)")
                }
            }
        case .float: return try readWidth(4, root)
        case .double: return try readWidth(8, root)
        case .timestamp: return try readDates(root).count
        case .string:
            return try readTree(root, "column") { ref throws(Damage) in try rowStrings(ref, .treeLeaf).count }
        case .binary: return try readBinaries(root).count
        case .mixed: return try readMixed(root, depth)
        case .table: return try readTables(column, root, depth)
        case .link:
            return try readInts(root) { (row, element) throws(Damage) in
                if element != 0 { column.links.append(.init(target: element &- 1, origin: row, count: 1)) }
            }
        case .linkList:
            return try readInts(root, holdsRefs: true) { (row, element) throws(Damage) in
                if element == 0 { return }
                try requireRef(element, root)
                try readInts(element) { _, target in
                    column.links.append(.init(target: target, origin: row, count: 1))
                }
            }
        case .backlink:
            return try readInts(root, holdsRefs: true) { (row, element) throws(Damage) in
                func add(_ origin: Int64) { column.links.append(.init(target: row, origin: origin, count: 1)) }
                if Tagged.isTagged(element) { return add(Int64(Tagged.decode(element))) }
                if element != 0 { try readInts(element) { _, origin in add(origin) } }
            }
        }
    }

    private func requireRef(_ element: Int64, _ root: Int64) throws(Damage) {
        if !isRef(element) { throw Damage(root, "3:5", "\(element) where a ref belongs") }
    }

    // MARK: Numbers

    /// Reads packed integers. `hasMarker`: each leaf begins with the element that represents null; nulls are omitted.
    @discardableResult
    private func readInts(
        _ root: Int64, hasMarker: Bool = false, holdsRefs: Bool = false,
        _ body: (_ row: Int64, _ element: Int64) throws(Damage) -> Void
    ) throws(Damage) -> Int {
        var row: Int64 = 0
        return try readTree(root, "column") { ref throws(Damage) in
            let node = try expect(ref, "column leaf", holdsRefs ? Node.refs : Node.plain)
            try require(ref, node.count, .upTo(FileFormat.treeNodeCapacity + (hasMarker ? 1 : 0)))
            let elements = try ints(node)
            if hasMarker, elements.isEmpty { throw Damage(ref, "3:5", "optional numbers without a marker") }
            for element in hasMarker ? elements.dropFirst() : elements[...] {
                if !hasMarker || element != elements[0] { try body(row, element) }
                row += 1
            }
            return elements.count - (hasMarker ? 1 : 0)
        }
    }

    private func readWidth(_ width: Int, _ root: Int64) throws(Damage) -> Int {
        try readTree(root, "column") { ref throws(Damage) in
            let node = try expect(ref, "column leaf", Node.bytes)
            try require(ref, node.count, .treeLeaf)
            if node.count > 0, node.width != width { throw Damage(ref, "3:5.2", "numbers of width \(node.width)") }
            return node.count
        }
    }

    /// Returns whole seconds; nil for null.
    private func readDates(_ root: Int64) throws(Damage) -> [Int64?] {
        let slots = try refArray(root, "dates", limit: 2)
        guard slots.count == 2, isRef(slots[0]), isRef(slots[1]) else { throw Damage(root, "3:5.3", "dates: \(slots)") }
        var seconds: [Int64?] = []
        let count = try readInts(slots[0], hasMarker: true) { row, value in
            while seconds.count < row { seconds.append(nil) }
            seconds.append(value)
        }
        let nanosecondCount = try readInts(slots[1]) { row, value in
            if row < seconds.count, let seconds = seconds[Int(row)] { checkTimestamp(root, seconds, value) }
        }
        if count != nanosecondCount { throw Damage(root, "3:5.3", "\(count) seconds, \(nanosecondCount) nanoseconds") }
        while seconds.count < count { seconds.append(nil) }
        return seconds
    }

    // MARK: Strings and binaries

    func rowStrings(_ ref: Int64, _ rows: Rows) throws(Damage) -> [ByteRun] {
        let isSpanned = try node(ref).flags == Node.refs
        let runs = try isSpanned ? rowSpans(ref, rows, isTerminated: true) : stringLeaf(ref, rows)
        for run in runs where !run.isNull { checkText(ref, run) }
        return runs
    }

    private func readBinaries(_ root: Int64) throws(Damage) -> [ByteRun] {
        var values: [ByteRun] = []
        try readTree(root, "column") { ref throws(Damage) in
            let isBig = try node(ref).flags == Node.markedRefs
            let leaf = try isBig ? binaryLeaf(ref, .treeLeaf) : rowSpans(ref, .treeLeaf, isTerminated: false)
            values += leaf
            return leaf.count
        }
        return values
    }

    /// Reads values that are adjacent in one blob. In strings 1 marks a value, in binaries null; format 2 has no nulls.
    private func rowSpans(_ ref: Int64, _ rows: Rows, isTerminated: Bool) throws(Damage) -> [ByteRun] {
        let slots = try refArray(ref, "column leaf", limit: 3)
        guard slots.count >= 2 else { throw Damage(ref, "3:5.4", "leaf of \(slots.count) slots") }
        let ends = try intLeaf(slots[0], rows)
        let blob = try expect(slots[1], "blob", Node.blob)
        let nulls = slots.count == 3 ? try intLeaf(slots[2], .exactly(ends.count)) : nil
        var runs: [ByteRun] = []
        var start = 0
        for (row, end) in ends.enumerated() {
            guard end >= start, end <= blob.count else {
                throw Damage(slots[0], "3:5.4", "span [\(start), \(end)) in a blob of \(blob.count)")
            }
            let isNull = nulls.map { ($0[row] == 0) == isTerminated } ?? false
            let tail = isTerminated ? 1 : 0
            if isNull {
                runs.append(.null)
            } else if Int(end) - start < tail || tail == 1 && bytes.byte(at: blob.payload + Int(end) - 1) != 0 {
                throw Damage(ref, "3:5.4", "string without its terminating zero")
            } else {
                runs.append(ByteRun(start: blob.payload + start, count: Int(end) - start - tail))
            }
            start = Int(end)
        }
        return runs
    }

    // MARK: Tables in rows and in values

    private func readTables(_ column: RowColumn, _ root: Int64, _ depth: Int) throws(Damage) -> Int {
        guard let rows = column.rows else { throw Damage(root, "3:5.9", "tables without columns") }
        return try readInts(root, holdsRefs: true) { (_, element) throws(Damage) in
            if element == 0 { return }
            try requireRef(element, root)
            try readRows(of: rows, element, depth: depth + 1)
        }
    }

    private func readMixed(_ root: Int64, _ depth: Int) throws(Damage) -> Int {
        let slots = try refArray(root, "mixed column", limit: 4)
        guard slots.count >= 2, isRef(slots[0]), isRef(slots[1]) else {
            throw Damage(root, "3:5.10", "mixed column of \(slots)")
        }
        let binaries = slots.count > 2 && slots[2] != 0 ? try readBinaries(slots[2]) : []
        let dates = slots.count > 3 && slots[3] != 0 ? try readDates(slots[3]) : []
        var kinds: [RowMixedKind] = []
        try readInts(slots[0]) { (_, element) throws(Damage) in
            guard let kind = RowMixedKind(rawValue: element) else { throw Damage(root, "3:5.10", "kind \(element)") }
            kinds.append(kind)
        }
        let count = try readInts(slots[1], holdsRefs: true) { (row, element) throws(Damage) in
            guard row < kinds.count else { throw Damage(root, "3:5.10", "more values than kinds") }
            if kinds[Int(row)] == .table {
                try requireRef(element, root)
                return try readMixedTable(element, depth)
            }
            guard element == 0 || Tagged.isTagged(element) else { throw Damage(root, "3:5.10", "\(element) as value") }
            let index = Int(clamping: Tagged.decode(element))
            switch kinds[Int(row)] {
            case .string, .binary:
                guard index < binaries.count, !binaries[index].isNull else {
                    throw Damage(root, "3:5.10", "bytes \(index) of \(binaries.count)")
                }
                guard kinds[Int(row)] == .string else { break }
                let text = binaries[index]
                guard text.count > 0, byte(text, text.count - 1) == 0 else {
                    throw Damage(root, "3:5.10", "string without its terminating zero")
                }
                checkText(root, ByteRun(start: text.start, count: text.count - 1))
            case .timestamp:
                guard index < dates.count, dates[index] != nil else {
                    throw Damage(root, "3:5.10", "date \(index) of \(dates.count)")
                }
            default: break
            }
        }
        if count != kinds.count { throw Damage(root, "3:5.10", "\(kinds.count) kinds, \(count) values") }
        return count
    }

    private func readMixedTable(_ ref: Int64, _ depth: Int) throws(Damage) {
        let slots = try refArray(ref, "table", limit: RowFormat.Table.count)
        guard slots.count == RowFormat.Table.count, isRef(slots[0]) else {
            throw Damage(ref, "3:5.10", "table of \(slots)")
        }
        // Each table within a value has a spec of its own.
        let table = try readRowSpec(slots[RowFormat.Table.spec], "", depth: depth + 1)
        // A table without columns may have no array of them.
        if slots[1] != 0 || !table.columns.isEmpty { try readRows(of: table, slots[1], depth: depth + 1) }
    }
}
