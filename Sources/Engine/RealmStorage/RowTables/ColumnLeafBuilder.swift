// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Creates column leaves from all their values at once. `ColumnLeafEditor` would insert one value after the other.
struct ColumnLeafBuilder {
    private let store: NodeStore

    @inline(__always)
    init(_ store: NodeStore) { self.store = store }

    func integers(_ values: [Int64], flags: UInt8 = NodeHeader.Flags.plain) throws -> Ref {
        let width = PackedWidth.minimal(for: values)
        let ref = try store.create(flags: flags, width: width, count: values.count)
        unsafe Node.store(store.space.base + Int(ref) + 8, NodeHeader.code(ofWidth: width), all: values)
        return ref
    }

    func timestamps(_ values: [Timestamp?]) throws -> Ref {
        let seconds = try OptionalIntLeafEditor(store).create(values.map { $0?.seconds })
        let nanoseconds = try integers(values.map { Int64($0?.nanoseconds ?? 0) })
        return try store.create([seconds, nanoseconds].map(\.element), flags: NodeHeader.Flags.hasRefs)
    }

    func floating<Bits: FixedWidthInteger>(_ bits: [Bits]) throws -> Ref {
        unsafe try bits.withUnsafeBytes {
            unsafe try store.create(
                bytes: $0, flags: NodeHeader.Flags.bytes, width: Bits.bitWidth / 8, count: bits.count)
        }
    }

    /// Creates a leaf of strings or binaries, in the smallest form that can hold them all.
    func bytes(_ style: BytesStyle, _ values: [UnsafeRawBufferPointer?]) throws -> Ref {
        var longest = 0
        for index in unsafe values.indices { longest = unsafe max(longest, values[index]?.count ?? 0) }
        try style.check(longest)
        switch style.form(for: longest) {
        case .short: return unsafe try short(values)
        case .spans: return unsafe try SpansLeafEditor(store).create(style, values)
        case .blobs: return unsafe try BytesLeafEditor(store, style).createBlobs(values)
        }
    }

    private func short(_ values: [UnsafeRawBufferPointer?]) throws -> Ref {
        var width = 0
        for index in unsafe values.indices { width = unsafe max(width, ShortElement.width(for: values[index])) }
        let ref = unsafe try store.create(flags: NodeHeader.Flags.bytes, width: width, count: values.count)
        guard width > 0 else { return ref }
        var element = unsafe store.space.base + Int(ref) + 8
        for index in unsafe values.indices {
            if let value = unsafe values[index] {
                unsafe element.copyMemory(from: value.baseAddress ?? UnsafeRawPointer(element), byteCount: value.count)
                unsafe (element + width - 1).storeBytes(of: UInt8(width - 1 - value.count), as: UInt8.self)
            } else {
                unsafe (element + width - 1).storeBytes(of: UInt8(width), as: UInt8.self)
            }
            unsafe element += width
        }
        return ref
    }
}
