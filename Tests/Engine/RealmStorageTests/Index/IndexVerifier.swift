// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmStorage

/// Reads an index node by node, without the code under test, and checks the rules of content 9.3.
struct IndexVerifier {
    struct Place {
        var path: [Int32]
        var keys: [Int64]
        var isList: Bool
    }

    let space: NodeSpace
    let capacity: Int
    private(set) var places: [Place] = []

    init(_ space: NodeSpace, _ root: Ref, capacity: Int) throws {
        self.space = space
        self.capacity = capacity
        _ = try visitLevel(root, [], isIndexRoot: true)
    }

    private mutating func visitLevel(_ root: Ref, _ path: [Int32], isIndexRoot: Bool) throws -> Int32? {
        let node = try space.node(root)
        #expect(!node.header.isInner || node.count > 2, "a level's root with a single child")
        return try visit(root, path, isIndexRoot: isIndexRoot)
    }

    private mutating func visit(_ ref: Ref, _ path: [Int32], isIndexRoot: Bool = false) throws -> Int32? {
        let node = try space.node(ref)
        #expect(node.header.flags & 0x7F == 0x60, "flags of an index node")
        let keys = try space.node(Ref(bitPattern: Int(node[0])))
        #expect(keys.header.flags == 0 && keys.width == 32, "flags and width of index keys")
        #expect(keys.count == node.count - 1 && keys.count <= capacity, "number of index keys")
        #expect(isIndexRoot || keys.count > 0, "an empty index node")
        let chunks = keys.elements().map { Int32($0) }
        #expect(zip(chunks, chunks.dropFirst()).allSatisfy { $0 < $1 }, "index keys out of order")
        for (index, chunk) in chunks.enumerated() {
            let element = node[index + 1]
            if node.header.isInner {
                #expect(
                    try visit(Ref(bitPattern: Int(element)), path) == chunk, "a key that is not its child's largest")
            } else {
                try visitEntry(element, path + [chunk])
            }
        }
        return chunks.last
    }

    private mutating func visitEntry(_ element: Int64, _ path: [Int32]) throws {
        if element & 1 == 1 {
            places.append(Place(path: path, keys: [Int64(UInt64(bitPattern: element) >> 1)], isList: false))
            return
        }
        let ref = Ref(bitPattern: Int(element))
        if try space.node(ref).header.hasContext {
            #expect(path.count <= 50, "a sub-index below the last level")
            _ = try visitLevel(ref, path, isIndexRoot: false)
        } else {
            let keys = try listKeys(ref)
            #expect(!keys.isEmpty, "an empty list")
            places.append(Place(path: path, keys: keys, isList: true))
        }
    }

    private func listKeys(_ ref: Ref) throws -> [Int64] {
        let node = try space.node(ref)
        guard node.header.isInner else {
            #expect(node.header.flags == 0 && node.count <= capacity, "flags and length of a list leaf")
            return node.elements()
        }
        let keys = try (1..<node.count - 1).flatMap { try listKeys(Ref(bitPattern: Int(node[$0]))) }
        #expect(node[node.count - 1] == Int64(keys.count * 2 + 1), "the length of a list")
        return keys
    }
}

extension IndexVerifier {
    /// Checks the rules of value indexes (content 9.4) against the values of the objects.
    func checkValues(_ model: [ObjectKey: StoredValue]) {
        for place in places {
            let values = place.keys.compactMap { model[ObjectKey($0)] }
            #expect(values.count == place.keys.count, "a key of no object")
            for value in values {
                let path = place.path.indices.map { IndexData(value).chunk(at: $0 * 4) }
                #expect(path == place.path, "an object under the chunks of another value")
            }
            #expect(
                place.path.count == 51 || Set(values.map { IndexData($0) }).count <= 1, "a list of different index data"
            )
            let pairs = zip(place.keys, values)
            for (a, b) in zip(pairs, pairs.dropFirst()) {
                let order = StoredValue.compare(a.1, b.1)
                #expect(order < 0 || order == 0 && a.0 < b.0, "a list out of order")
            }
        }
        #expect(places.flatMap(\.keys).sorted() == model.keys.map(\.rawValue).sorted(), "every object once")
    }

    /// Checks the rules of word indexes (content 9.5) against the words of the objects.
    func checkWords(_ model: [ObjectKey: Set<[UInt8]?>]) {
        var claims = Set<[Int64]>()
        let byPath = Dictionary(uniqueKeysWithValues: places.map { ($0.path, $0) })
        for (key, words) in model {
            for word in words {
                let path = self.path(word, key, byPath)
                #expect(path != nil, "the word \(String(describing: word)) of \(key) is missing")
                claims.insert([key.rawValue] + (path ?? []).map { Int64($0) })
            }
        }
        for place in places {
            #expect(zip(place.keys, place.keys.dropFirst()).allSatisfy { $0 < $1 }, "a list out of order")
            for key in place.keys {
                #expect(claims.contains([key] + place.path.map { Int64($0) }), "\(key) has no word at \(place.path)")
            }
        }
    }

    /// Returns the path under which the object's word is filed: the word's own, or a longer one along its chunks if
    /// others continue there.
    private func path(_ word: [UInt8]?, _ key: ObjectKey, _ byPath: [[Int32]: Place]) -> [Int32]? {
        let data = word.map { IndexData(stringBytes: $0) } ?? .none
        let count = word?.count ?? 0
        let levels = max((count + 3) / 4, 1)
        let own = (0..<51).map { data.chunk(at: $0 * 4) }
        // A word with an X in its last chunk may have been filed under the shorter word.
        let misplaced = own.enumerated().map { $0.offset < levels ? $0.element : 0 }
        for candidate in [own, misplaced] {
            for length in levels...51 {
                let path = Array(candidate[..<length])
                if byPath[path]?.keys.contains(key.rawValue) == true { return path }
            }
        }
        return nil
    }
}
