// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A leaf of strings or binaries of formats 2 to 9 (older 5.4, 5.5).
///
/// Returns the bytes of the file, not copies.
struct RowBytes {
    private let reader: RowReader
    private let style: BytesStyle
    private let root: Node
    private let form: BytesForm
    private let ends: Node
    private let blob: Node
    private let nulls: Node?
    let count: Int

    init(_ reader: RowReader, _ root: Node, _ style: BytesStyle) throws {
        self.reader = reader
        self.style = style
        self.root = root
        let header = root.header
        if !header.hasRefs {
            guard style == .string, header.schemeCode == NodeScheme.bytes.rawValue else {
                throw ColumnLeaf.wrongNode(root.ref)
            }
            (form, ends, blob, nulls, count) = (.short, root, root, nil, root.count)
        } else if header.hasContext {
            (form, ends, blob, nulls, count) = (.blobs, root, root, nil, root.count)
        } else {
            guard 2...3 ~= root.count else { throw ColumnLeaf.wrongNode(root.ref) }
            form = .spans
            ends = try reader.plain(root.child(0))
            blob = try reader.blob(root.child(1))
            nulls = root.count == 3 ? try reader.plain(root.child(2)) : nil
            count = ends.count
            guard nulls.map({ $0.count == ends.count }) ?? true else { throw ColumnLeaf.wrongNode(root.ref) }
        }
    }

    /// Nil represents null. The bytes are valid as long as the reader.
    func value(at row: Int) throws -> UnsafeRawBufferPointer? {
        guard 0..<count ~= row else { throw ColumnLeaf.noRow(root.ref) }
        switch form {
        case .short: return unsafe try short(row)
        case .spans: return unsafe try span(row)
        case .blobs: return unsafe try blob(row)
        }
    }

    private func short(_ row: Int) throws -> UnsafeRawBufferPointer? {
        let width = root.width
        guard width > 0 else { return nil }
        let element = unsafe root.payload + row &* width
        let padding = unsafe Int(element.load(fromByteOffset: width &- 1, as: UInt8.self))
        guard padding < width else {
            if padding == width { return nil }
            throw BytesLeaf.damaged(root)
        }
        return unsafe UnsafeRawBufferPointer(start: element, count: width &- 1 &- padding)
    }

    /// 1 marks a value in strings, but null in binaries.
    private func span(_ row: Int) throws -> UnsafeRawBufferPointer? {
        let (start, end) = (row == 0 ? 0 : ends[row - 1], ends[row])
        guard 0 <= start, start <= end, end <= blob.count else { throw BytesLeaf.damaged(ends) }
        if let nulls, (nulls[row] == 0) == (style == .string) { return nil }
        guard end - start >= style.tail else { throw BytesLeaf.damaged(ends) }
        return unsafe UnsafeRawBufferPointer(rebasing: blob.bytes[Int(start)..<Int(end) - style.tail])
    }

    private func blob(_ row: Int) throws -> UnsafeRawBufferPointer? {
        let ref = try root.child(row)
        guard ref != 0 else { return nil }
        let node = try reader.node(ref)
        var bytes = unsafe node.bytes
        if node.header.hasRefs, node.header.hasContext, node.header.schemeCode == 0 {
            unsafe bytes = try reader.joined(node, atMost: style.maximum + style.tail)
        } else if node.header.schemeCode != NodeScheme.blob.rawValue {
            throw ColumnLeaf.wrongNode(ref)
        }
        guard bytes.count >= style.tail else { throw BytesLeaf.damaged(node) }
        return unsafe UnsafeRawBufferPointer(rebasing: bytes.dropLast(style.tail))
    }
}
