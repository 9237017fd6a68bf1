// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport

@testable import RealmStorage

/// A set of bytes of a file, as sorted ranges that aren't adjacent.
struct ByteRanges: Equatable {
    private(set) var ranges: [Range<Ref>] = []

    init(_ unsorted: some Sequence<Range<Ref>>) {
        for range in unsorted.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = ranges.last, last.upperBound >= range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
    }

    init(_ blocks: some Sequence<FreeBlock>) { self.init(blocks.map { $0.position..<$0.end }) }

    var isEmpty: Bool { ranges.isEmpty }
    var byteCount: Int { ranges.reduce(0) { $0 + $1.count } }

    func union(_ other: ByteRanges) -> ByteRanges { ByteRanges(ranges + other.ranges) }

    func intersection(_ other: ByteRanges) -> ByteRanges {
        var result: [Range<Ref>] = []
        var (i, j) = (0, 0)
        while i < ranges.count, j < other.ranges.count {
            let common = ranges[i].clamped(to: other.ranges[j])
            if !common.isEmpty { result.append(common) }
            if ranges[i].upperBound < other.ranges[j].upperBound { i += 1 } else { j += 1 }
        }
        return ByteRanges(result)
    }

    func subtracting(_ other: ByteRanges) -> ByteRanges {
        var gaps: [Range<Ref>] = []
        var end: Ref = 0
        for range in other.ranges {
            gaps.append(end..<range.lowerBound)
            end = range.upperBound
        }
        gaps.append(end..<(.max))
        return intersection(ByteRanges(gaps))
    }
}

struct NodeBytes: Equatable {
    let places: ByteRanges
    let content: [UInt8]

    init(of snapshot: Snapshot) throws {
        var places: [Range<Ref>] = []
        var content: [UInt8] = []
        var pending = snapshot.top.map { [$0.ref] } ?? []
        while let ref = pending.popLast() {
            let node = try snapshot.space.node(ref)
            places.append(ref..<ref + Ref(node.header.byteCount))
            content.append(contentsOf: node.image)
            guard node.header.hasRefs else { continue }
            for element in node.elements() where element != 0 && element & 1 == 0 {
                pending.append(Ref(bitPattern: Int(element)))
            }
        }
        self.places = ByteRanges(places)
        self.content = content
        try requireEqual(self.places.byteCount, content.count, "bytes of nodes, which must not overlap")
    }
}
