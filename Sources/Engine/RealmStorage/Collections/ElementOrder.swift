// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The order of the elements of a set (content 8.3).
///
/// NaNs follow all numbers in sets of Float and Double, unlike in content 8.4. The reference searches such a set with
/// comparisons that are false for a NaN on the left, so it finds all other elements only if NaNs are last
/// (content 13.11). NaNs with different bits are different elements.
enum ElementOrder {
    case plain
    case floating
    /// Null is compared as the NaN that represents it.
    case decimal

    init(_ kind: LeafKind) {
        switch kind {
        case .float, .double: self = .floating
        case .decimal: self = .decimal
        default: self = .plain
        }
    }

    func compare(_ a: StoredValue, _ b: StoredValue) -> Int {
        switch (self, a, b) {
        case (.floating, .float(let x), .float(let y)):
            x.isNaN == y.isNaN ? StoredValue.compare(x, y) : x.isNaN ? 1 : -1
        case (.floating, .double(let x), .double(let y)):
            x.isNaN == y.isNaN ? StoredValue.compare(x, y) : x.isNaN ? 1 : -1
        case (.decimal, _, _): StoredValue.compare(ElementOrder.raw(a), ElementOrder.raw(b))
        default: StoredValue.compare(a, b)
        }
    }

    private static func raw(_ value: StoredValue) -> StoredValue { value.isNull ? .decimal(.null) : value }
}

extension ColumnLeaf {
    func compare(_ row: Int, with value: StoredValue, _ order: ElementOrder) throws -> Int {
        switch (kind, value) {
        case (.int, .int(let number)):
            let element = try int(at: row)
            return element < number ? -1 : element > number ? 1 : 0
        case (.key, .link(let key)):
            let element = try ref(at: row)
            return element < key.rawValue ? -1 : element > key.rawValue ? 1 : 0
        case (.string, .string(var text)):
            return try text.withUTF8 { unsafe try compare(row, withBytes: UnsafeRawBufferPointer($0)) }
        default: return order.compare(try self.value(at: row), value)
        }
    }

    func compare(_ row: Int, withBytes text: UnsafeRawBufferPointer) throws -> Int {
        try unsafe withStringBytes(at: row) { bytes in
            guard let bytes = unsafe bytes else { return -1 }
            return unsafe ByteOrder.compare(bytes, text)
        }
    }
}
