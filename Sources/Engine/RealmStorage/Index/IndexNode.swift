// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A node of a search index: a leaf or a branch of the small B+tree over the chunks of one offset (content 9.3).
///
/// ```
/// [0]       ref of the keys: 32 bits each, ascending
/// [1 … m]   branch: the children, whose largest keys the keys are; leaf: the entries of the keys
/// ```
struct IndexNode {
    let node: Node
    private let keys: Node

    /// The maximum number of nodes on a path through branches and sub-indexes in a file of legal size: there are at
    /// most 51 levels, and a level of more than 1000 chunks takes a few branches.
    static let maximumDepth = 200
    /// The minimum number of keys for which the start of a search is guessed, because they span several cache lines.
    private static let guessedCount = 64

    init(_ space: NodeSpace, _ ref: Ref) throws {
        try self.init(space, IndexNode.packedRefs(ref, in: space))
    }

    /// Creates the index node at a ref. If `chunk` and `span` are given, as for `lowerBound`, the memory that the
    /// search will read is prefetched.
    @inline(__always)
    init(_ space: NodeSpace, _ node: Node, for chunk: Int32? = nil, in span: ClosedRange<Int32>? = nil) throws {
        guard node.header.hasContext, node.count > 0 else {
            throw StorageError.corrupt("a search index with a node of another kind; the file is damaged", at: node.ref)
        }
        if let chunk, let span, node.count > IndexNode.guessedCount {
            let place = IndexNode.guess(chunk, in: span, node.count - 1)
            let keys = Ref(element: node[0])
            space.prefetch(keys)
            // The chunks of a thousand uniformly distributed numbers are within about sixteen positions of the guess.
            for distance in stride(from: -16, through: 16, by: 16) {
                space.prefetch(keys, NodeHeader.byteCount &+ (place &+ distance) &* 4)
                node.prefetch((place &+ distance &+ 1) &* (node.width >> 3))
            }
        }
        let keys = try IndexNode.packed(Ref(element: node.loaded(0)), in: space)
        guard keys.width == 32, !keys.header.hasRefs, keys.count == node.count - 1,
            keys.count <= FileFormat.treeNodeCapacity, keys.count > 0 || !node.header.isInner
        else {
            throw StorageError.corrupt("a search index node with impossible keys; the file is damaged", at: node.ref)
        }
        self.node = node
        self.keys = keys
    }

    var isInner: Bool { node.header.isInner }
    var count: Int { keys.count }
    var keysRef: Ref { keys.ref }
    var lastKey: Int32 { key(count - 1) }

    func key(_ index: Int) -> Int32 { Int32(truncatingIfNeeded: keys[index]) }
    func element(_ index: Int) -> Int64 {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
        return node.loaded(index + 1)
    }
    func child(_ index: Int) throws -> Ref { try node.child(index + 1) }

    /// Requires packed elements, like `NodeSpace.integers`. Inlined, because a search calls it twice for each node on
    /// its path.
    @inline(__always)
    static func packed(_ ref: Ref, in space: NodeSpace) throws -> Node {
        guard let node = space.nodeOrNil(ref), node.header.schemeCode == 0 else { throw try space.failure(ref) }
        return node
    }

    @inline(__always)
    static func packedRefs(_ ref: Ref, in space: NodeSpace) throws -> Node {
        let node = try packed(ref, in: space)
        guard node.header.hasRefs else { throw space.badNode(ref) }
        return node
    }

    /// Returns the index of the first key that isn't below `chunk`, or `count`. `span` is the range of the keys
    /// according to the branch above; a wrong one only makes the search slower.
    func lowerBound(_ chunk: Int32, in span: ClosedRange<Int32>? = nil) -> Int {
        var (low, high) = count > IndexNode.guessedCount ? bounds(of: chunk, from: guess(chunk, in: span)) : (0, count)
        while low < high {
            let middle = (low + high) >> 1
            if isBelow(middle, chunk) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the range of the keys of child `place`, if this node determines it.
    func span(ofChild place: Int) -> ClosedRange<Int32>? {
        guard place > 0, place < count else { return nil }
        let (before, last) = (loadedKey(place - 1), loadedKey(place))
        return before < last ? before...last : nil
    }

    private func guess(_ chunk: Int32, in span: ClosedRange<Int32>?) -> Int {
        let (first, last) = (span?.lowerBound ?? loadedKey(0), span?.upperBound ?? loadedKey(count - 1))
        return first < last ? IndexNode.guess(chunk, in: first...last, count) : 0
    }

    /// Estimates the index of `chunk` among `count` keys by interpolation, which touches less memory than bisection.
    @inline(__always)
    private static func guess(_ chunk: Int32, in span: ClosedRange<Int32>, _ count: Int) -> Int {
        let (first, last) = (Int64(span.lowerBound), Int64(span.upperBound))
        guard first < chunk, first < last else { return 0 }
        // Both differences have 32 bits, so a double represents their product with a count accurately enough.
        let share = Double(Int64(chunk) - first) / Double(last - first)
        return min(Int(share * Double(count - 1)), count - 1)
    }

    /// Returns a range of indexes that contains the lower bound. The range is short if `guess` is near it.
    private func bounds(of chunk: Int32, from guess: Int) -> (low: Int, high: Int) {
        var leap = 1
        if isBelow(guess, chunk) {
            var low = guess
            while low + leap < count, isBelow(low + leap, chunk) {
                low += leap
                leap *= 2
            }
            return (low + 1, min(low + leap, count))
        }
        var high = guess
        while high - leap >= 0, !isBelow(high - leap, chunk) {
            high -= leap
            leap *= 2
        }
        return (max(high - leap + 1, 0), high)
    }

    private func isBelow(_ place: Int, _ chunk: Int32) -> Bool { loadedKey(place) < chunk }

    /// Returns the key at an index below the count. The initializer has checked the width.
    func loadedKey(_ place: Int) -> Int32 {
        unsafe keys.payload.loadUnaligned(fromByteOffset: place << 2, as: Int32.self)
    }
}

/// The entry of a chunk in a leaf of an index (content 9.3).
enum IndexEntry {
    case literal(ObjectKey)
    /// A B+tree of object keys; never empty.
    case list(Ref)
    case subIndex(Ref)

    static func literal(_ element: Int64) -> ObjectKey? {
        Tagged.isTagged(element) ? ObjectKey(Int64(Tagged.decode(element))) : nil
    }

    init(_ element: Int64, in space: NodeSpace) throws {
        if let key = IndexEntry.literal(element) {
            self = .literal(key)
        } else {
            let ref = Ref(element: element)
            self = try space.node(ref).header.hasContext ? .subIndex(ref) : .list(ref)
        }
    }
}

extension Node {
    @inline(__always)
    fileprivate func loaded(_ index: Int) -> Int64 { unsafe Node.load(payload, index, header.widthCode) }
}
