// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The stored form of a value in a leaf of Mixed: its type and the content of its payload entry (content 6.14).
struct MixedEncoding {
    enum Content {
        case inline(Int64)
        case int(Int64)
        case pair(Int64, Int64)
        case bytes
        case tree(Ref, key: Int64)
    }

    let type: ColumnType
    let content: Content
    private let value: StoredValue

    /// Nil for null, including the bit patterns that represent null. Throws for values that can't be stored.
    init?(_ value: StoredValue) throws {
        self.value = value
        switch value {
        case .null: return nil
        case .int(let number):
            (type, content) = (
                .int, Int64(Int32(truncatingIfNeeded: number)) == number ? .inline(number) : .int(number)
            )
        case .bool(let flag): (type, content) = (.bool, .inline(flag ? 1 : 0))
        case .float(let number):
            guard number.bitPattern != FloatingNull.float else { return nil }
            (type, content) = (.float, .int(Int64(number.bitPattern)))
        case .double(let number):
            guard number.bitPattern != FloatingNull.double else { return nil }
            (type, content) = (.double, .int(Int64(bitPattern: number.bitPattern)))
        case .string(let string):
            try BytesStyle.string.check(string.utf8.count)
            (type, content) = (.string, .bytes)
        case .binary(let bytes):
            // One byte less than elsewhere: it is stored like a string, with a terminating zero, and the blob would
            // otherwise be too large (container 2.8).
            guard bytes.count <= BytesStyle.string.maximum else {
                throw StorageError(.limitExceeded, "Binary too big")
            }
            (type, content) = (.binary, .bytes)
        case .objectId: (type, content) = (.objectId, .bytes)
        case .uuid: (type, content) = (.uuid, .bytes)
        case .timestamp(let timestamp):
            try TimestampLeaf.check(timestamp)
            (type, content) = (.timestamp, .pair(timestamp.seconds, Int64(timestamp.nanoseconds)))
        case .decimal(let bits):
            guard !bits.isNull else { return nil }
            (type, content) = (.decimal, .pair(Int64(bitPattern: bits.low), Int64(bitPattern: bits.high)))
        case .typedLink(let link):
            guard link.table != .null, !link.object.isNull else { return nil }
            (type, content) = (.typedLink, .pair(Int64(link.table.rawValue), link.object.rawValue))
        case .list(let root, let key): (type, content) = (.list, try .nested(root, key))
        case .dictionary(let root, let key): (type, content) = (.dictionary, try .nested(root, key))
        case .link: throw LeafKind.mixed.mismatch(value)
        }
    }

    var payload: MixedDescriptor.Payload {
        switch content {
        case .inline: .inline
        case .int: .ints
        case .pair: .pairs
        case .bytes: .strings
        case .tree: .refs
        }
    }

    /// 0 unless the value is a nested collection.
    var key: Int64 {
        if case .tree(_, let key) = content { key } else { 0 }
    }

    func descriptor(_ entry: Int) -> MixedDescriptor {
        if case .inline(let number) = content { return MixedDescriptor(type, .inline, number) }
        return MixedDescriptor(type, payload, Int64(entry))
    }

    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        switch value {
        case .string(var string): try string.withUTF8 { unsafe try body(UnsafeRawBufferPointer($0)) }
        case .binary(let bytes): unsafe try bytes.withUnsafeBytes(body)
        case .objectId(let identifier): unsafe try identifier.bytes.withUnsafeBytes(body)
        case .uuid(let identifier): unsafe try identifier.bytes.withUnsafeBytes(body)
        default: preconditionFailure("a value without bytes")
        }
    }
}

extension MixedEncoding.Content {
    fileprivate static func nested(_ root: Ref, _ key: Int64) throws -> Self {
        guard key != 0, Int32(exactly: key) != nil else {
            throw StorageError.absent("a nested collection without a collection key")
        }
        return .tree(root, key: key)
    }
}
