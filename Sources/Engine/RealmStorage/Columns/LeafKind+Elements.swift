// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension LeafKind {
    /// Only for the kinds of `isPacked`.
    func element(for value: StoredValue) throws -> Int64 {
        switch (self, value) {
        case (.int, .int(let number)), (.enumeratedString, .int(let number)): return number
        case (.bool, .bool(let flag)): return flag ? 1 : 0
        case (.bool, .null): return PackedElement.nullBool
        case (.link, .null): return 0
        case (.link, .link(let key)) where key.rawValue < .max: return key.rawValue + 1
        case (.key, .link(let key)) where !key.isNull: return key.rawValue
        case (.backlink, .link(let key)) where key.rawValue >= 0: return Tagged.encode(UInt64(key.rawValue))
        case (.collection, .null), (.backlink, .null): return 0
        case (.collection, .list(let root, _)), (.collection, .dictionary(let root, _)),
            (.backlink, .list(let root, _)):
            return root.element
        default: throw mismatch(value)
        }
    }

    /// `ref` is used only in errors.
    func value(of element: Int64, at ref: Ref) throws -> StoredValue {
        switch self {
        case .int: return .int(element)
        case .bool: return element == PackedElement.nullBool ? .null : .bool(element != 0)
        case .link:
            guard element > .min else { throw StorageError.corrupt("an impossible link; the file is damaged", at: ref) }
            return element == 0 ? .null : .link(ObjectKey(element - 1))
        case .key: return element == -1 ? .null : .link(ObjectKey(element))
        case .backlink where Tagged.isTagged(element): return .link(ObjectKey(Int64(Tagged.decode(element))))
        case .collection where Tagged.isTagged(element):
            throw StorageError.corrupt("a number where a reference belongs; the file is damaged", at: ref)
        case .collection, .backlink: return element == 0 ? .null : .list(Ref(element: element), key: 0)
        default: preconditionFailure("not a packed leaf")
        }
    }

    @inline(never) func mismatch(_ value: StoredValue) -> any Error {
        StorageError.absent("a value of another type than its column's")
    }
}

enum PackedElement {
    /// See content 6.3.
    static let nullBool: Int64 = 3
}

extension LeafKind {
    func optionalInt(_ value: StoredValue) throws -> Int64? {
        switch value {
        case .null: return nil
        case .int(let number): return number
        default: throw mismatch(value)
        }
    }

    func timestamp(_ value: StoredValue) throws -> Timestamp? {
        switch value {
        case .null: return nil
        case .timestamp(let timestamp): return timestamp
        default: throw mismatch(value)
        }
    }

    func decimal(_ value: StoredValue) throws -> DecimalBits? {
        switch value {
        case .null: return nil
        case .decimal(let decimal): return decimal
        default: throw mismatch(value)
        }
    }

    func identifier(_ value: StoredValue) throws -> (IdentifierType, [UInt8]?) {
        let type: IdentifierType = self == .objectId ? .objectId : .uuid
        switch (type, value) {
        case (_, .null): return (type, nil)
        case (.objectId, .objectId(let identifier)): return (type, identifier.bytes)
        case (.uuid, .uuid(let identifier)): return (type, identifier.bytes)
        default: throw mismatch(value)
        }
    }

    func withElement<R>(_ value: StoredValue, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        switch (self, value) {
        case (.float, .null), (.float, .float):
            var bits = FloatingNull.float
            if case .float(let number) = value { bits = number.bitPattern }
            return unsafe try withUnsafeBytes(of: bits.littleEndian) { unsafe try body($0) }
        case (.double, .null), (.double, .double):
            var bits = FloatingNull.double
            if case .double(let number) = value { bits = number.bitPattern }
            return unsafe try withUnsafeBytes(of: bits.littleEndian) { unsafe try body($0) }
        default: throw mismatch(value)
        }
    }

    func withBytes<R>(_ value: StoredValue, _ body: (BytesStyle, UnsafeRawBufferPointer?) throws -> R) throws -> R {
        switch (self, value) {
        case (.string, .null): return try body(.string, nil)
        case (.binary, .null): return try body(.binary, nil)
        case (.string, .string(var string)):
            return try string.withUTF8 { unsafe try body(.string, UnsafeRawBufferPointer($0)) }
        case (.binary, .binary(let bytes)): return unsafe try bytes.withUnsafeBytes { unsafe try body(.binary, $0) }
        default: throw mismatch(value)
        }
    }

    /// No release creates leaves of typed links, and neither does Regnum.
    static var readOnly: StorageError {
        StorageError(.invalidArgument, "columns of typed links cannot be written")
    }
}
