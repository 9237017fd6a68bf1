// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A set: a tree of unique elements in ascending order (content 7.3). Read-only.
package struct SetTree {
    package let tree: BPlusTree
    let order: ElementOrder

    package init(_ space: NodeSpace, _ root: Ref, elementsOf column: ColumnKey) throws {
        tree = try BPlusTree(space, root, LeafKind(elementsOf: column))
        order = ElementOrder(tree.kind)
    }

    package var count: Int { tree.count }
    package func value(at index: Int) throws -> StoredValue { try tree.value(at: index) }
    package func values() throws -> [StoredValue] { try tree.values() }

    package func contains(_ value: StoredValue, by fenceIndex: FenceKeyIndex? = nil) throws -> Bool {
        if let fenceIndex, let place = try tree.place(of: value, by: fenceIndex) { return place.isFound }
        return try index(of: value) != nil
    }

    /// The position of the element that equals `value` by the order of content 8.3. For example, 0.0 finds -0.0, a NaN
    /// finds itself, and in a set of Mixed 5.0 finds 5.
    package func index(of value: StoredValue) throws -> Int? {
        let place = try place(of: value)
        if place.isFound { return place.index }
        // The reference inserts NaNs at any index, after which the elements may not ascend.
        return order == .floating ? try scan(for: value.withoutNullPattern) : nil
    }

    /// The set must be sorted.
    func place(of value: StoredValue) throws -> (index: Int, isFound: Bool) {
        let value = value.withoutNullPattern
        let place = try tree.place(of: value, order)
        if !place.isFound, let neighbour = try neighbour(equalTo: value, around: place.index) {
            return (neighbour, true)
        }
        return place
    }

    private func scan(for value: StoredValue) throws -> Int? {
        var found: Int?
        try tree.forEachLeaf { leaf in
            let row = try (0..<leaf.leaf.count).first { try leaf.leaf.compare($0, with: value, order) == 0 }
            found = row.map { leaf.start + $0 }
            return found == nil
        }
        return found
    }

    func isAscending() throws -> Bool {
        var last: StoredValue?
        var isAscending = true
        try tree.forEachLeaf { leaf in
            for row in 0..<leaf.leaf.count where isAscending {
                let value = try leaf.leaf.value(at: row)
                if let last { isAscending = order.compare(last, value) < 0 }
                last = value
            }
            return isAscending
        }
        return isAscending
    }
}

/// Numbers in sets of Mixed. A Decimal of many digits is rounded for a comparison with a Float or a Double. That isn't
/// transitive, so an equal element may be near, but not at, the index at which a search ends (content 13.20).
extension SetTree {
    private func neighbour(equalTo value: StoredValue, around index: Int) throws -> Int? {
        guard tree.kind == .mixed, value.approximate != nil else { return nil }
        return try walk(from: index - 1, by: -1, value) ?? walk(from: index, by: 1, value)
    }

    /// Searches in one direction, as long as the elements are numbers so near to `value` that rounding can misplace
    /// them.
    private func walk(from start: Int, by step: Int, _ value: StoredValue) throws -> Int? {
        var cursor = BPlusTreeCursor(tree)
        var index = start
        while 0..<count ~= index {
            let (leaf, row) = try cursor.position(index)
            let element = try leaf.value(at: row)
            guard value.isNear(element) else { return nil }
            if order.compare(element, value) == 0 { return index }
            if try value.isDecimal || leaf.mixed.mayHoldDecimals {
                index += step
            } else {
                // Without a Decimal, all comparisons were exact: continue after the leaf.
                index = step > 0 ? index - row + leaf.count : index - row - 1
            }
        }
        return nil
    }
}

extension MixedLeaf {
    /// Decimals have payloads of two words.
    fileprivate var mayHoldDecimals: Bool { get throws { try slot(FileFormat.Mixed.pairs) != 0 } }
}

extension StoredValue {
    /// The value, or null for a bit pattern that represents null (content 6.4, 6.5, 6.9).
    var withoutNullPattern: StoredValue {
        switch self {
        case .float(let number) where number.bitPattern == FloatingNull.float: .null
        case .double(let number) where number.bitPattern == FloatingNull.double: .null
        case .decimal(let bits) where bits.isNull: .null
        default: self
        }
    }

    fileprivate var isDecimal: Bool { if case .decimal = self { true } else { false } }

    /// Nil for NaN and other types.
    fileprivate var approximate: Double? {
        let number: Double? =
            switch self {
            case .int(let value): Double(value)
            case .float(let value): Double(value)
            case .double(let value): value
            case .decimal(let value): value.doubleValue
            default: nil
            }
        return number.flatMap { $0.isNaN ? nil : $0 }
    }

    /// Whether both are numbers whose difference is within the error of rounding to seven digits.
    fileprivate func isNear(_ other: StoredValue) -> Bool {
        guard let a = approximate, let b = other.approximate else { return false }
        return a == b || abs(a - b) <= 1e-5 * max(abs(a), abs(b))
    }
}
