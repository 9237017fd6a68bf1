// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Writes the dirty nodes of a transaction to the file, children before parents (container 6.7, step 1).
///
/// Adjacent nodes are written in one call. After a crash, the bytes written so far lie in blocks that the base snapshot
/// lists as free, or beyond its logical size, so they have no effect (container 6.7, crash safety).
struct NodeWriter {
    private let space: NodeSpace
    private let file: any DatabaseFile
    var allocator: SpaceAllocator
    /// An upper bound of the bytes that are still to be written. The allocator uses it to choose blocks.
    private var expected: Int
    private var run: [UInt8] = []
    private var runStart: Ref = 0
    private var fileByteCount: Int
    private(set) var written = WrittenBlocks()

    private static let runLimit = 1 << 20

    init(space: NodeSpace, file: any DatabaseFile, allocator: SpaceAllocator, expected: Int) throws {
        fileByteCount = try file.size()
        self.space = space
        self.file = file
        self.allocator = allocator
        self.expected = expected
    }

    mutating func write(_ ref: Ref, depth: Int = 0) throws -> Ref {
        guard ref != 0, space.isDirty(ref) else { return ref }
        guard depth < NodeStore.maximumDepth else { throw StorageError.corrupt("nodes nested without end", at: ref) }
        let node = try space.node(ref)
        guard node.header.hasRefs, node.header.schemeCode == 0 else { return unsafe try place(node.header, node.bytes) }
        var elements = node.elements()
        for index in elements.indices where elements[index] != 0 && !Tagged.isTagged(elements[index]) {
            elements[index] = try write(Ref(element: elements[index]), depth: depth + 1).element
        }
        return try place(elements, flags: node.header.flags)
    }

    mutating func place(_ elements: [Int64], flags: UInt8) throws -> Ref {
        let width = PackedWidth.minimal(for: elements)
        let (header, payload) = NodeWriter.pack(elements, flags: flags, width: width)
        return unsafe try payload.withUnsafeBytes { unsafe try place(header, $0) }
    }

    static func pack(_ elements: [Int64], flags: UInt8, width: Int) -> (NodeHeader, [UInt8]) {
        let header = NodeHeader(flags: flags, widthCode: NodeHeader.code(ofWidth: width), count: elements.count)
        var payload = [UInt8](repeating: 0, count: header.payloadByteCount)
        unsafe payload.withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { unsafe Node.store(start, header.widthCode, all: elements) }
        }
        return (header, payload)
    }

    private mutating func place(_ header: NodeHeader, _ payload: UnsafeRawBufferPointer) throws -> Ref {
        let position = try allocator.allocate(header.byteCount, expected: expected)
        expected -= header.byteCount
        unsafe try append(header, payload, at: position)
        return position
    }

    /// `position` was allocated by the caller.
    mutating func append(_ header: NodeHeader, _ payload: UnsafeRawBufferPointer, at position: Ref) throws {
        if runStart + Ref(run.count) != position || run.count > NodeWriter.runLimit {
            try flush()
            runStart = position
        }
        let headerBytes = UInt64(NodeHeader.filler) | UInt64(header.bits.byteSwapped) << 32
        unsafe withUnsafeBytes(of: headerBytes.littleEndian) { unsafe run.append(contentsOf: $0) }
        unsafe run.append(contentsOf: payload)
        let padding = header.byteCount - 8 - payload.count
        for _ in 0..<padding { run.append(0) }
    }

    mutating func flush() throws {
        guard !run.isEmpty else { return }
        // A write that fails half-way must not leave a file of odd length, which every opening would reject
        // (container 1.4).
        let end = max(Int(runStart) + run.count, Int(allocator.logicalSize))
        if end > fileByteCount { fileByteCount = try file.size() }
        if end > fileByteCount {
            fileByteCount = (end + FileFormat.pageByteCount - 1) / FileFormat.pageByteCount * FileFormat.pageByteCount
            try file.resize(to: fileByteCount)
        }
        try file.write(run, at: Int(runStart))
        written.add(run, at: runStart)
        run.removeAll(keepingCapacity: true)
    }
}
