// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCrypto
import RealmStorage
import RealmSystem

/// An unnamed copy of a damaged file's readable content, whose header may be changed.
///
/// Pages that can't be read or decrypted are zeros. The copy of an encrypted file is encrypted too, with a key that
/// isn't stored.
final class SalvageImage {
    private let file: any DatabaseFile
    private(set) var byteCount: Int
    private(set) var unreadablePageCount = 0
    let format: UInt8

    private static let pageSize = 4096
    /// The maximum factor by which a file may have been longer before it was truncated.
    private static let maxGrowth = 16

    init(of path: String, cipher: (any PageCipher)?, _ progress: Progress) throws {
        let source = try EncryptedFile.wrap(try OpenFile.disk(path), cipher, toleratesDamage: true)
        let disk = try DiskFile.anonymous(in: FileManager.default.temporaryDirectory.path)
        let copy = try EncryptedFile.wrap(disk, cipher == nil ? nil : try RealmPageCipher(key: EncryptionKey.random()))
        file = copy
        let size = try source.size() & ~7
        byteCount = size
        guard size > FileFormat.Header.byteCount else {
            throw StorageError(.invalidDatabase, "not a Realm file: it has only \(size) bytes")
        }
        try file.resize(to: size)
        for start in stride(from: 0, to: size, by: SalvageImage.pageSize) {
            let count = min(SalvageImage.pageSize, size - start)
            if let bytes = try? source.bytes(count, at: start) {
                try bytes.withUnsafeBytes { try copy.write($0, at: start) }
            } else {
                unreadablePageCount += 1
                // As in a plain file, the intact part of the page is useful.
                let page = start / EncryptedLayout.pageByteCount
                if let noise = try? (source as? EncryptedFile)?.unverifiedContent(ofPage: page) {
                    try noise.prefix(count).withUnsafeBytes { try copy.write($0, at: start) }
                }
            }
            progress.reach(start)
        }
        try file.sync()
        header = try file.bytes(FileFormat.Header.byteCount, at: 0)
        format = SalvageImage.format(header)
    }

    /// Returns the format according to the header. A damaged header may contain any, so both of its formats have to
    /// agree.
    private static func format(_ header: [UInt8]) -> UInt8 {
        let places = FileFormat.Header.formatVersion
        let selected = header[FileFormat.Header.flags] & 1 == 0 ? header[places.0] : header[places.1]
        let isDamaged = !hasMnemonic(header) && header[places.0] != header[places.1]
        return !isDamaged && 2...FileFormat.version ~= selected ? selected : FileFormat.version
    }

    private static func hasMnemonic(_ header: [UInt8]) -> Bool {
        let mnemonic = FileFormat.Header.mnemonic
        return Array(header[mnemonic..<mnemonic + 4]) == FileFormat.mnemonic
    }

    private let header: [UInt8]

    private func write(_ bytes: [UInt8], at offset: Int) throws {
        try bytes.withUnsafeBytes { try file.write($0, at: offset) }
    }

    // MARK: Versions

    /// Returns nil if `ref` isn't the top array of a version.
    func snapshot(at ref: Ref) throws -> Snapshot? {
        let first = number(at: ref)
        guard first != nil else { return nil }
        try write(SalvageImage.headerBytes(ref, format), at: 0)
        try file.sync()
        guard let database = try? Database(file: file, readOnly: true) else { return nil }
        return try? database.snapshot(label: "salvage")
    }

    /// The possible top arrays, best first: that of the header, the previous one, then all nodes of this form, the
    /// newest version first.
    func candidates() throws -> [Ref] {
        let selected = Int(header[FileFormat.Header.flags] & 1)
        let named = [number(header, 8 * selected), number(header, 8 - 8 * selected), try number(footer)]
        let found = try tops().sorted { $0.version > $1.version }.map(\.ref)
        // A version to which the header doesn't lead may have been rolled back, or its space reused.
        var seen: Set<Ref> = []
        return (named.filter { $0 & 7 == 0 && $0 > 0 && $0 < UInt64(byteCount) }.map { Ref($0) } + found)
            .filter { seen.insert($0).inserted }
    }

    var namedRef: Ref? {
        get throws {
            let selected = number(header, 8 * Int(header[FileFormat.Header.flags] & 1))
            let ref = selected == FileFormat.streamingMarker ? try number(footer) : selected
            return ref & 7 == 0 && ref > 0 && ref < UInt64(byteCount) ? Ref(ref) : nil
        }
    }

    var isNew: Bool {
        SalvageImage.hasMnemonic(header) && number(header, 0) == 0 && number(header, 8) == 0
    }

    private var footer: [UInt8] {
        get throws { byteCount < 40 ? [] : try file.bytes(8, at: byteCount - FileFormat.footerByteCount) }
    }

    private func number(_ bytes: [UInt8]) -> UInt64 { bytes.isEmpty ? 0 : number(bytes, 0) }

    private func number(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
    }

    private func number(at ref: Ref) -> UInt64? {
        (try? file.bytes(8, at: Int(ref))).map { number($0, 0) }
    }

    /// Versions whose list of tables is left, the best first. Each gets a top array at the end of the copy, and names
    /// if those are lost.
    func versionsWithoutTop() throws -> [(ref: Ref, hasNames: Bool)] {
        let pairs = try withNodes { TableListSearch($0).pairs(in: places).prefix(SalvageImage.maxVersionsWithoutTop) }
        var additions: [(top: Int, names: [UInt8], pair: TableListSearch.Pair)] = []
        var end = (byteCount + 7) & ~7
        for pair in pairs {
            let names = pair.names == nil ? SalvageImage.nameBytes(pair.count) : []
            additions.append((end + names.count, names, pair))
            end += names.count + SalvageImage.topByteCount
        }
        try grow(to: end)
        return try additions.map { top, names, pair in
            let made = top - names.count
            if !names.isEmpty { try write(names, at: made) }
            try write(SalvageImage.topBytes(pair.names ?? Ref(made), pair.tables, logicalSize: byteCount), at: top)
            return (Ref(top), pair.names != nil)
        }
    }

    /// Returns a node with a name for each table: the class `Table3` for the table at position 3.
    private static func nameBytes(_ count: Int) -> [UInt8] {
        let (payload, width) = NameList.payload((0..<count).map { FileFormat.classPrefix + "Table\($0)" })
        let header = NodeHeader(
            flags: NodeHeader.Flags.bytes, widthCode: NodeHeader.code(ofWidth: width), count: count)
        let padding = [UInt8](repeating: 0, count: header.byteCount - NodeHeader.byteCount - payload.count)
        return bytes(NodeHeader.filler) + bytes(header.bits.bigEndian) + payload + padding
    }

    private static let maxVersionsWithoutTop = 16

    /// The size of the shortest top array: names, tables and the logical size.
    private static let topByteCount = NodeHeader.byteCount + 3 * 8

    private static func topBytes(_ names: Ref, _ tables: Ref, logicalSize: Int) -> [UInt8] {
        let header = NodeHeader(
            flags: NodeHeader.Flags.hasRefs, widthCode: NodeHeader.code(ofWidth: 64), count: 3)
        let elements = [names.element, tables.element, Tagged.encode(logicalSize)]
        return bytes(NodeHeader.filler) + bytes(header.bits.bigEndian) + elements.flatMap(bytes)
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private func tops() throws -> [(ref: Ref, version: UInt64)] {
        let found = try withNodes { space in places.compactMap { top(at: $0, space) } }
        try grow(to: found.map(\.logicalSize).max() ?? 0)
        return found.map { ($0.ref, $0.version) }
    }

    private func top(at ref: Ref, _ space: NodeSpace) -> TopArray? {
        guard let node = space.nodeOrNil(ref), node.header.hasRefs, !node.header.isInner,
            FileFormat.Top.legalCounts.contains(node.count),
            let top = try? TopArray(space, ref, fileSize: byteCount * SalvageImage.maxGrowth),
            node.count > 3, top.logicalSize >= Int(ref), hasTables(top, space)
        else { return nil }
        return top
    }

    private var places: StrideTo<Ref> { stride(from: Ref(FileFormat.Header.byteCount), to: Ref(byteCount), by: 8) }

    /// Calls `body` with the nodes of the copy. Their addresses are valid until it returns.
    private func withNodes<Result>(_ body: (NodeSpace) throws -> Result) throws -> Result {
        let mapping = try file.map(fileWindow: byteCount, slabWindow: 0)
        return try withExtendedLifetime(mapping) {
            try body(NodeSpace(mapping: mapping, fileEnd: Ref(byteCount), writable: false))
        }
    }

    private func hasTables(_ top: TopArray, _ space: NodeSpace) -> Bool {
        let names = Ref(element: top.elements[FileFormat.Top.names])
        let tables = Ref(element: top.elements[FileFormat.Top.tables])
        guard let first = space.nodeOrNil(names), let second = space.nodeOrNil(tables) else { return false }
        return first.count == second.count && first.count > 0 && second.header.hasRefs
    }

    private func grow(to size: Int) throws {
        guard size > byteCount else { return }
        byteCount = (size + 7) & ~7
        try file.resize(to: byteCount)
        try file.sync()
    }

    private static func headerBytes(_ ref: Ref, _ format: UInt8) -> [UInt8] {
        let top = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(ref) >> UInt64(8 * $0)) }
        return top + [UInt8](repeating: 0, count: 8) + FileFormat.mnemonic + [format, format, 0, 0]
    }
}
