// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Collects the values of a column in the order of rows, and creates a leaf of each `capacity` values.
struct RowGatherer<Value> {
    private var values: [Value] = []
    private(set) var leaves: [Ref] = []
    private(set) var count = 0
    private let capacity: Int
    private let make: ([Value]) throws -> Ref

    init(capacity: Int, _ make: @escaping ([Value]) throws -> Ref) {
        self.capacity = capacity
        self.make = make
        values.reserveCapacity(min(capacity, FileFormat.treeNodeCapacity))
    }

    @inline(__always)
    mutating func append(_ value: Value) throws {
        values.append(value)
        count &+= 1
        if values.count == capacity { try makeLeaf() }
    }

    mutating func finish() throws -> [Ref] {
        if !values.isEmpty { try makeLeaf() }
        return leaves
    }

    private mutating func makeLeaf() throws {
        leaves.append(try make(values))
        values.removeAll(keepingCapacity: true)
    }
}
