// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The root node of a snapshot (container 5).
package struct TopArray: Sendable {
    package let ref: Ref
    package var elements: [Int64]

    private typealias Slot = FileFormat.Top

    /// Reads and validates the top array (container 5.2, 5.4). `fileSize` limits everything that it refers to.
    package init(_ space: NodeSpace, _ ref: Ref, fileSize: Int) throws {
        try self.init(try space.refs(ref), ref, fileSize: fileSize)
    }

    init(_ node: Node, _ ref: Ref, fileSize: Int) throws {
        guard Slot.legalCounts.contains(node.count), !node.header.isInner else {
            throw StorageError.corrupt("a top array of \(node.count) slots", at: ref)
        }
        self.ref = ref
        elements = node.elements()
        guard logicalSize <= fileSize, logicalSize >= FileFormat.Header.byteCount else {
            throw StorageError.corrupt("the file is shorter than its contents; it was cut off", at: ref)
        }
        for slot in [Slot.names, Slot.tables] {
            guard try child(slot) != 0 else { throw StorageError.corrupt("a top array without tables", at: ref) }
        }
    }

    init() {
        ref = 0
        elements = [Int64](repeating: 0, count: Slot.count)
        elements[Slot.logicalSize] = Tagged.encode(FileFormat.Header.byteCount)
    }

    func child(_ slot: Int) throws -> Ref {
        guard slot < elements.count else { return 0 }
        guard elements[slot] & 1 == 0 else { throw StorageError.corrupt("a number in the place of a node", at: ref) }
        return Ref(element: elements[slot])
    }

    private func number(_ slot: Int) -> UInt64 { slot < elements.count ? Tagged.decode(elements[slot]) : 0 }

    package var count: Int { elements.count }
    package var logicalSize: Int { Int(clamping: number(Slot.logicalSize)) }
    /// A file without a stored version is at version 1 (container 5.1).
    package var version: UInt64 { max(number(Slot.version), 1) }
    package var historyType: UInt64 { number(Slot.historyType) }
    package var historySchemaVersion: UInt64 { number(Slot.historySchemaVersion) }
    /// The identifier of a client file; 0 until a server assigns one.
    package var fileIdent: UInt64 { number(Slot.fileIdentifier) }
    package func history() throws -> Ref { try child(Slot.history) }
    /// The raw value of slot 11; nil if the array is shorter (container 6.8).
    package var evacuation: Int64? { Slot.evacuation < elements.count ? elements[Slot.evacuation] : nil }
}
