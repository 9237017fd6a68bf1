// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct IndexedObject {
    package let key: ObjectKey
    let data: IndexData

    package init(_ key: ObjectKey, _ data: IndexData) {
        self.key = key
        self.data = data
    }

    var byteCount: Int { MemoryLayout<IndexedObject>.stride + data.ownedByteCount }

    /// Returns the objects in the order of the index; objects with the same path are ordered by key.
    static func sorted(_ objects: [IndexedObject]) -> [IndexedObject] { order(of: objects).map { objects[Int($0)] } }

    static func order(of objects: [IndexedObject]) -> [Int32] {
        guard objects.count > 32 else { return (0..<Int32(objects.count)).sorted { precedes($0, $1, of: objects) } }
        var words = [0, 8].map { offset in SortKeyColumn(objects.map { $0.data.orderWord(at: offset) }) }
        // New objects arrive in the order of their keys, and the sort is stable. Removed objects may be out of order.
        if !zip(objects, objects.dropFirst()).allSatisfy({ $0.key < $1.key }) {
            words.append(SortKeyColumn(objects.map { UInt64(bitPattern: $0.key.rawValue) }))
        }
        let order = RadixSort.sorted(words, count: objects.count)
        if objects.allSatisfy({ $0.data.isToldByFourChunks }) { return order }
        let isComplete = zip(order, order.dropFirst()).allSatisfy { !precedes($1, $0, of: objects) }
        return isComplete ? order : order.sorted { precedes($0, $1, of: objects) }
    }

    private static func precedes(_ a: Int32, _ b: Int32, of objects: [IndexedObject]) -> Bool {
        precedes(objects[Int(a)], objects[Int(b)])
    }

    private static func precedes(_ a: IndexedObject, _ b: IndexedObject) -> Bool {
        a.data == b.data ? a.key < b.key : IndexData.precedes(a.data, b.data)
    }
}

extension IndexData {
    func orderWord(at offset: Int) -> UInt64 {
        func ordered(_ chunk: Int32) -> UInt64 { UInt64(UInt32(bitPattern: chunk ^ .min)) }
        return ordered(chunk(at: offset)) << 32 | ordered(chunk(at: offset + 4))
    }

    /// Whether the first four chunks identify the data, because they contain its end.
    var isToldByFourChunks: Bool { count < 16 }

    static func precedes(_ a: IndexData, _ b: IndexData) -> Bool {
        for offset in stride(from: 0, through: min(max(a.count, b.count), lastOffset), by: 8) {
            let (left, right) = (a.orderWord(at: offset), b.orderWord(at: offset))
            if left != right { return left < right }
        }
        return false
    }
}
