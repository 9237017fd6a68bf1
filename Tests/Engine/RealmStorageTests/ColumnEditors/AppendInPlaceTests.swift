// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

struct AppendInPlaceTests {
    private static let kinds: [LeafSample] = [
        .int, .optionalInt, .bool, .float, .double, .string, .timestamp, .link, .collection, .backlink,
    ]

    /// Appending in place equals an insertion or changes nothing. It rejects few values.
    @Test(arguments: kinds)
    func equalsAnInsertion(sample: LeafSample) throws {
        var random = SeededGenerator(for: "append in place")
        for scale in 0..<14 {
            let scratch = try ScratchStore()
            let store = scratch.store
            let first: StoredValue = sample.isNullable ? .null : .int(0)
            var refs = try (0..<2).map { _ in try ColumnLeafEditor(store, sample.kind).create(count: 0, default: first)
            }
            var appended = 0
            for row in 0..<200 {
                let isLinked: Bool = [.link, .collection, .backlink].contains(sample)
                let value = isLinked ? .null : sample.value(&random, scale: scale) { _ in 0 }
                let before = try images(refs[0], scratch.space)
                if ColumnLeafEditor(store, sample.kind).appendInPlace(refs[0], at: row, value) {
                    appended += 1
                } else {
                    #expect(try images(refs[0], scratch.space) == before)
                    try ColumnLeafEditor(store, sample.kind).insert(&refs[0], at: row, value)
                }
                try ColumnLeafEditor(store, sample.kind).insert(&refs[1], at: row, value)
                let (inPlace, inserted) = try (images(refs[0], scratch.space), images(refs[1], scratch.space))
                try #require(inPlace == inserted, "row \(row), \(value)")
            }
            if scale == 0 { #expect(appended > 100) }
        }
    }

    /// Leaves a committed leaf, a row that isn't the next, and a value of another type to `insert`.
    @Test func refusesOtherLeavesAndValues() throws {
        let scratch = try ScratchStore()
        var ref = try ColumnLeafEditor(scratch.store, .int).create(count: 5, default: .int(1000))
        try ColumnLeafEditor(scratch.store, .int).insert(&ref, at: 5, .int(1000))
        #expect(!ColumnLeafEditor(scratch.store, .int).appendInPlace(ref, at: 5, .int(1)))
        #expect(!ColumnLeafEditor(scratch.store, .int).appendInPlace(ref, at: 7, .int(1)))
        #expect(!ColumnLeafEditor(scratch.store, .int).appendInPlace(ref, at: 6, .string("a")))
        #expect(!ColumnLeafEditor(scratch.store, .double).appendInPlace(ref, at: 6, .double(1)))
        #expect(ColumnLeafEditor(scratch.store, .int).appendInPlace(ref, at: 6, .int(1)))
        let committed = try #require(try scratch.commit([ref])[ref])
        #expect(!ColumnLeafEditor(scratch.store, .int).appendInPlace(committed, at: 7, .int(1)))
    }

    private func images(_ ref: Ref, _ space: NodeSpace) throws -> [[Int64]] {
        let node = try space.node(ref)
        let header = [Int64(node.header.bits)]
        guard node.header.schemeCode == 0 else { return unsafe [header, node.bytes.map { Int64($0) }] }
        guard node.header.hasRefs else { return [header, node.elements()] }
        return try [header] + node.elements().flatMap { try $0 == 0 ? [] : images(Ref(element: $0), space) }
    }
}
