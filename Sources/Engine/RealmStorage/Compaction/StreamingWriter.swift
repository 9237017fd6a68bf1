// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Writes one version without free space, in streaming form (container 6.9).
///
/// Space remains free if `CopyOptions.hasReserve` requires it, and before a node that would straddle two sections of 64
/// MiB: the streaming form permits that, but a file that a process has committed to does not (container 6.4).
///
/// Nodes are copied from the mapping to the file one by one, children before parents, in the order of the elements. At
/// most one path of the tree and a buffer are in memory. An interrupted writer leaves a file without a footer, which
/// every opening rejects. Full buffers are written by a background thread.
struct StreamingWriter {
    private let space: NodeSpace
    private let file: any DatabaseFile
    private var background: BackgroundWriter?
    private var buffer: [UInt8] = []
    private var bufferStart = 0
    /// The bytes of nodes that may still be read. The nodes of a valid tree aren't larger than the file.
    private var budget: Int
    private var gaps: [FreeBlock] = []

    private static let bufferByteCount = 1 << 20

    private init(_ space: NodeSpace, dirtyByteCount: Int, _ file: any DatabaseFile) {
        self.space = space
        self.file = file
        budget = Int(space.fileEnd) + dirtyByteCount
    }

    /// `top` is nil for a database without commits. `file` must be empty. Doesn't sync.
    static func write(
        _ top: TopArray?, version: UInt64, in space: NodeSpace, dirtyByteCount: Int = 0, to file: any DatabaseFile,
        _ options: CopyOptions
    ) throws {
        var writer = StreamingWriter(space, dirtyByteCount: dirtyByteCount, file)
        writer.writeHeader(isEmpty: top == nil)
        let topRef = try top.map { try writer.writeVersion($0, version, options) } ?? 0
        try writer.writeFooter(topRef, alignment: file.writeUnit)
    }

    private var position: Int { bufferStart + buffer.count }

    /// Streaming form: the marker is in slot 0, and a format is written only if there is a top array (container 1.2,
    /// 1.3).
    private mutating func writeHeader(isEmpty: Bool) {
        buffer += FileHeader.bytes(of: FileFormat.streamingMarker) + FileHeader.bytes(of: 0) + FileFormat.mnemonic
        buffer += [isEmpty ? 0 : FileFormat.version, 0, 0, 0]
    }

    private mutating func writeVersion(_ top: TopArray, _ version: UInt64, _ options: CopyOptions) throws -> Int {
        typealias Slot = FileFormat.Top
        let names = try copy(try top.child(Slot.names))
        let tables = try copy(try top.child(Slot.tables))
        if options.hasReserve { try leaveReserve() }
        var elements = [names, tables, 0]
        if options.keepsVersion {
            let history = try top.history()
            let newHistory = history == 0 ? 0 : try copy(history)
            elements += try appendFreeLists(withVersions: true) + [Tagged.encode(version)]
            if history != 0 {
                elements += [Tagged.encode(top.historyType), newHistory]
                elements += (Slot.historySchemaVersion...Slot.fileIdentifier).map { slot in
                    slot < top.count && top.elements[slot] != 0 ? top.elements[slot] : Tagged.encode(0)
                }
            }
        } else {
            try reserveLists()
            // A top array of five slots has free lists, but no version (container 5.2).
            if !gaps.isEmpty { elements += try appendFreeLists(withVersions: false) }
        }
        return try writeTop(&elements)
    }

    /// Ensures that the free lists and the top array are in one section, so that no gap is added after the lists are
    /// written.
    private mutating func reserveLists() throws {
        let words = 3 * (gaps.count + 2) + FileFormat.Top.maxCount + 1
        try stayInSection(8 * words)
    }

    private mutating func appendFreeLists(withVersions hasVersions: Bool) throws -> [Int64] {
        try reserveLists()
        let lists = [gaps.map { Int64($0.position) }, gaps.map { Int64($0.length) }]
        let versions = hasVersions ? [gaps.map { _ in Int64(0) }] : []
        return try (lists + versions).map { try append($0, flags: NodeHeader.Flags.plain) }
    }

    /// The logical size is the end of the top array, which depends on its width. The width is therefore sufficient for
    /// the largest possible end (container 6.9, step 4).
    private mutating func writeTop(_ elements: inout [Int64]) throws -> Int {
        let bound = Tagged.encode(position + NodeHeader.byteCount + 8 * elements.count)
        let width = elements.reduce(PackedWidth.minimal(for: bound)) { max($0, PackedWidth.minimal(for: $1)) }
        let code = NodeHeader.code(ofWidth: width)
        let header = NodeHeader(flags: NodeHeader.Flags.hasRefs, widthCode: code, count: elements.count)
        elements[FileFormat.Top.logicalSize] = Tagged.encode(position + header.byteCount)
        return Int(try append(elements, flags: NodeHeader.Flags.hasRefs, width: width))
    }

    private mutating func writeFooter(_ topRef: Int, alignment: Int) throws {
        let end = (position + FileFormat.footerByteCount + alignment - 1) / alignment * alignment
        buffer += Array(repeating: 0, count: end - FileFormat.footerByteCount - position)
        buffer += FileHeader.bytes(of: UInt64(topRef)) + FileHeader.bytes(of: FileFormat.footerMagic)
        try background?.finish()
        try file.write(buffer, at: bufferStart)
    }

    private mutating func copy(_ ref: Ref, depth: Int = 0) throws -> Int64 {
        let node = try space.node(ref)
        budget -= node.header.byteCount
        guard depth < NodeStore.maximumDepth, budget >= 0 else {
            throw StorageError.corrupt("nodes nested without end; the file is damaged", at: ref)
        }
        guard node.header.hasRefs, node.header.schemeCode == 0 else {
            return unsafe try append(node.header, node.bytes)
        }
        var elements = node.elements()
        for index in elements.indices where elements[index] != 0 && !Tagged.isTagged(elements[index]) {
            elements[index] = try copy(Ref(element: elements[index]), depth: depth + 1)
        }
        return try append(elements, flags: node.header.flags)
    }

    private mutating func append(_ elements: [Int64], flags: UInt8, width: Int? = nil) throws -> Int64 {
        let width = width ?? PackedWidth.minimal(for: elements)
        let (header, payload) = NodeWriter.pack(elements, flags: flags, width: width)
        return unsafe try payload.withUnsafeBytes { unsafe try append(header, $0) }
    }

    private mutating func append(_ header: NodeHeader, _ payload: UnsafeRawBufferPointer) throws -> Int64 {
        try stayInSection(header.byteCount)
        let start = position
        let headerBytes = UInt64(NodeHeader.filler) | UInt64(header.bits.byteSwapped) << 32
        unsafe withUnsafeBytes(of: headerBytes.littleEndian) { unsafe buffer.append(contentsOf: $0) }
        unsafe buffer.append(contentsOf: payload)
        for _ in 0..<header.byteCount - 8 - payload.count { buffer.append(0) }
        if buffer.count >= StreamingWriter.bufferByteCount { try flush() }
        return Int64(start)
    }

    private mutating func stayInSection(_ byteCount: Int) throws {
        let section = FileFormat.sectionByteCount
        let rest = section - position % section
        guard byteCount > rest else { return }
        try leaveFree(rest)
    }

    /// Leaves whole pages of an encrypted file free, and the rest of the page before them.
    private mutating func leaveReserve() throws {
        let unit = file.writeUnit
        let start = (position + unit - 1) / unit * unit
        let byteCount = SpaceReserve.byteCount(logicalSize: Ref(start), entryCount: gaps.count, unit: unit)
        try leaveFree(start - position + Int(byteCount))
    }

    private mutating func leaveFree(_ byteCount: Int) throws {
        var rest = byteCount
        gaps.append(FreeBlock(position: Ref(position), length: Ref(rest)))
        while rest > 0 {
            let count = min(rest, StreamingWriter.bufferByteCount)
            buffer += [UInt8](repeating: 0, count: count)
            rest -= count
            if buffer.count >= StreamingWriter.bufferByteCount { try flush() }
        }
    }

    private mutating func flush() throws {
        let count = buffer.count / FileFormat.pageByteCount * FileFormat.pageByteCount
        let rest = Array(buffer[count...])
        buffer.removeLast(rest.count)
        let writer = try background ?? BackgroundWriter(file)
        background = writer
        try writer.write(&buffer, at: bufferStart)
        buffer += rest
        bufferStart += count
    }
}
