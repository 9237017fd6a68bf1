// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Audit {
    /// The file header (container 1.1).
    struct Header {
        var formatVersion = 0
        /// 0 for a database without tables.
        var top: Int64 = 0
        var isStreaming = false
    }

    /// The group's top array (container 5.1). Missing slots are read as 0.
    struct Top {
        var ref: Int64 = 0
        var byteCount: Int64 = 0
        var names: Int64 = 0
        var tables: Int64 = 0
        var free: [Int64] = [0, 0, 0]
        var version: UInt64 = 1
        var historyType: UInt64 = 0
        var history: Int64 = 0
        var historySchema: UInt64 = 0
        var evacuation: Int64 = 0
    }

    /// The checks of container 1.4, in its order.
    func readHeader() throws(Unreadable) -> Header {
        guard bytes.count >= FileFormat.Header.byteCount else {
            throw Unreadable(0, "1:1.4 R2", "smaller than a file header")
        }
        guard bytes.count & 7 == 0 else { throw Unreadable(0, "1:1.4 R2", "size is not a multiple of 8") }
        guard bytes.array(from: FileFormat.Header.mnemonic, count: 4) == FileFormat.mnemonic else {
            throw Unreadable(16, "1:1.4 R2", "wrong mnemonic (an encrypted file?)")
        }
        let slot = bytes.byte(at: FileFormat.Header.flags) & FileFormat.Header.selectBit == 0 ? 0 : 1
        let formatVersion = bytes.byte(at: FileFormat.Header.formatVersion.0 + slot)
        var top = bytes.load(UInt64.self, at: 8 * slot)
        let isStreaming = slot == 0 && top == FileFormat.streamingMarker
        if isStreaming { top = try readFooter() }
        guard top & 7 == 0, top < UInt64(bytes.count) else {
            throw Unreadable(Int64(8 * slot), "1:1.4 R2", "top ref \(top) is not a place in the file")
        }
        try checkFormat(formatVersion, top, slot)
        return Header(formatVersion: Int(formatVersion), top: Int64(top), isStreaming: isStreaming)
    }

    private func readFooter() throws(Unreadable) -> UInt64 {
        guard bytes.count >= FileFormat.Header.byteCount + FileFormat.footerByteCount else {
            throw Unreadable(0, "1:1.4 R4", "too small for the streaming form")
        }
        guard bytes.load(UInt64.self, at: bytes.count - 8) == FileFormat.footerMagic else {
            throw Unreadable(Int64(bytes.count - 8), "1:1.2 R4", "streaming form without its footer (truncated?)")
        }
        return bytes.load(UInt64.self, at: bytes.count - FileFormat.footerByteCount)
    }

    /// Files of older formats are audited by their own rules.
    ///
    /// Version 0 is only valid for a database without a top array (container 1.3, 10.1).
    private func checkFormat(_ version: UInt8, _ top: UInt64, _ slot: Int) throws(Unreadable) {
        if version == FileFormat.version || LegacyFormat(version) != nil || version == 0 && top == 0 { return }
        throw Unreadable(Int64(20 + slot), "1:10.1 R6", "unsupported format \(version)")
    }

    func readTop() throws(Unreadable) -> Top {
        do {
            return try validatedTop()
        } catch {
            throw Unreadable(error.offset, error.rule, error.message)
        }
    }

    /// Container 5.2, 5.4.
    private func validatedTop() throws(Damage) -> Top {
        let node = try node(header.top)
        guard node.flags == Node.refs, FileFormat.Top.legalCounts.contains(node.count) else {
            throw Damage(node.ref, "1:5.2 R12", "top array with flags \(hex(node.flags)) and \(node.count) slots")
        }
        let slots = try ints(node) + Array(repeating: 0, count: 12 - node.count)
        var top = Top()
        top.ref = node.ref
        let size = try tagged(slots[FileFormat.Top.logicalSize], node.ref, 2, orZero: false)
        guard size <= UInt64(bytes.count) else {
            throw Damage(node.ref, "1:5.4 R17 C7", "logical size \(size) exceeds the data space of \(bytes.count)")
        }
        top.byteCount = Int64(size)
        for slot in 0...1 where slots[slot] <= 0 || slots[slot] & 7 != 0 || slots[slot] > top.byteCount {
            throw Damage(node.ref, "1:5.4 R2", "slot \(slot) holds \(slots[slot]), not a ref")
        }
        top.names = slots[FileFormat.Top.names]
        top.tables = slots[FileFormat.Top.tables]
        top.free = Array(slots[FileFormat.Top.freePositions...FileFormat.Top.freeVersions])
        top.version = max(1, try tagged(slots[FileFormat.Top.version], node.ref, 6))
        top.historyType = try tagged(slots[FileFormat.Top.historyType], node.ref, 7)
        top.history = slots[FileFormat.Top.history]
        top.historySchema = try tagged(slots[FileFormat.Top.historySchemaVersion], node.ref, 9)
        _ = try tagged(slots[FileFormat.Top.fileIdentifier], node.ref, 10)
        top.evacuation = slots[FileFormat.Top.evacuation]
        return top
    }
}
