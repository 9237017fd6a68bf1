// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Reads the nodes of tables of formats 2 to 9.
///
/// In a valid file each node has its own bytes and is read a few times at most. In a malicious file, many refs may lead
/// to one node. The bytes read are therefore counted, and reading more than a small multiple of the file's size is
/// damage. That also limits the output of an upgrade: an element of a leaf becomes a few bytes, one of width 0 a few
/// bits.
@safe
final class RowReader {
    let space: NodeSpace
    private var rest: Int
    private var rowRest: Int
    private var joined: [UnsafeMutableRawBufferPointer] = unsafe []

    init(_ space: NodeSpace) {
        self.space = space
        rest = RowReader.maxReadings * Int(space.fileEnd) + 1 << 12
        rowRest = Int(space.fileEnd) + 1 << 18
    }

    deinit { unsafe joined.forEach { unsafe $0.deallocate() } }

    /// The number of times that the upgrade reads one node: to find subtables, and to convert.
    private static let maxReadings = 3

    func node(_ ref: Ref) throws -> Node { try counted(try space.node(ref)) }

    func refs(_ ref: Ref) throws -> Node {
        let node = try counted(try space.refs(ref))
        guard !node.header.isInner else { throw ColumnLeaf.wrongNode(ref) }
        return node
    }

    func plain(_ ref: Ref) throws -> Node { try counted(try space.node(ref).plain()) }

    func blob(_ ref: Ref) throws -> Node { try counted(try space.blob(ref)) }

    private func counted(_ node: Node) throws -> Node {
        try spend(node.header.byteCount, at: node.ref)
        return node
    }

    /// Counts bytes that are read again, such as those of a string that several rows share.
    func spend(_ byteCount: Int, at ref: Ref) throws {
        rest -= byteCount
        if rest < 0 { throw StorageError.corrupt("nodes that are used more than once; the file is damaged", at: ref) }
    }

    /// Counts rows that need far more bytes in the current format than in the file.
    func spendRow(_ count: Int = 1, at ref: Ref) throws {
        rowRest -= count
        if rowRest < 0 {
            throw StorageError.corrupt("more rows in tables within rows than a file of this size holds", at: ref)
        }
    }

    /// Returns the bytes of the blobs that `node` refers to. They're valid as long as this object (older 5.4).
    func joined(_ node: Node, atMost limit: Int) throws -> UnsafeRawBufferPointer {
        let parts = try (0..<node.count).map { try blob(node.child($0)) }
        let count = parts.reduce(0) { $0 + $1.count }
        guard count <= limit else {
            throw StorageError(
                .limitExceeded, "a value of \(count) bytes, more than files of format 24 can hold", offset: node.ref)
        }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
        unsafe joined.append(bytes)
        var end = 0
        for part in parts {
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyMemory(from: part.bytes)
            end += part.count
        }
        return UnsafeRawBufferPointer(bytes)
    }

    /// The maximum number of rows in a file of this size, because a leaf has at least eight bytes.
    var maxRows: Int { (Int(space.fileEnd) >> 3 + 1) * FileFormat.treeNodeCapacity }

    static func endless(_ ref: Ref) -> any Error {
        StorageError.corrupt("nodes nested without end; the file is damaged", at: ref)
    }
}
