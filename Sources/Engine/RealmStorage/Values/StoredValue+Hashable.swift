// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Equality of representation; `compare` implements the equality of content 8.
///
/// Not synthesised, because equality of String normalises, and the format distinguishes strings that differ in bytes.
extension StoredValue: Hashable {
    package static func == (a: StoredValue, b: StoredValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.int(let a), .int(let b)): a == b
        case (.bool(let a), .bool(let b)): a == b
        case (.float(let a), .float(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.string(let a), .string(let b)): ByteOrder.compare(a, b) == 0
        case (.binary(let a), .binary(let b)): a == b
        case (.timestamp(let a), .timestamp(let b)): a == b
        case (.decimal(let a), .decimal(let b)): a == b
        case (.objectId(let a), .objectId(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.link(let a), .link(let b)): a == b
        case (.typedLink(let a), .typedLink(let b)): a == b
        case (.list(let a, let keyA), .list(let b, let keyB)): a == b && keyA == keyB
        case (.dictionary(let a, let keyA), .dictionary(let b, let keyB)): a == b && keyA == keyB
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        switch self {
        case .null: break
        case .int(let value): hasher.combine(value)
        case .bool(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .string(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .binary(let value): hasher.combine(value)
        case .timestamp(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .objectId(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .link(let value): hasher.combine(value)
        case .typedLink(let value): hasher.combine(value)
        case .list(let root, let key), .dictionary(let root, let key):
            hasher.combine(root)
            hasher.combine(key)
        }
    }

    /// Whether replacing one by the other changes nothing. Unlike `==`, it distinguishes -0.0 from 0.0, and a NaN is
    /// identical to itself.
    package func isIdentical(to other: StoredValue) -> Bool {
        switch (self, other) {
        case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        default: self == other
        }
    }
}
