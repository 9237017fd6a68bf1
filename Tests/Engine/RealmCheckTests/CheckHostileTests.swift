// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCheck
import RealmTestSupport
import Testing

/// Files that exhaust the stack, the time, or the memory of naive readers.
@Suite struct CheckHostileTests {
    private func rules(_ bytes: [UInt8], strict: Bool = true) -> Set<String> {
        let report = FileChecker.check(bytes: bytes, options: .init(strict: strict))
        #expect(report.unreadable == nil)
        return Set(report.violations.map(\.rule))
    }

    private func mixed(_ builder: inout FileBuilder, nested: Int?) -> Int {
        guard let nested else {
            let descriptors = builder.ints([7 << 8 | 1])
            return builder.refs([descriptors, 0, 0, 0, 0, 0])
        }
        let descriptors = builder.ints([4 << 5 | 20])
        let lists = builder.refs([nested])
        let keys = builder.ints([5])
        return builder.refs([descriptors, 0, 0, 0, lists, keys])
    }

    private func nestedFile(levels: Int) -> [UInt8] {
        var builder = FileBuilder()
        var array = mixed(&builder, nested: nil)
        for _ in 0..<levels { array = mixed(&builder, nested: array) }
        let cluster = builder.cluster(rows: 1, [array])
        return builder.finish([.init(name: "any", type: 6, attributes: 16)], clusters: cluster)
    }

    @Test func nestingEndsAtAHundredLevels() {
        #expect(rules(nestedFile(levels: 0)).isEmpty)
        #expect(rules(nestedFile(levels: 100)).isEmpty)
        #expect(rules(nestedFile(levels: 101)) == ["2:7.7 M40"])
        #expect(rules(nestedFile(levels: 20_000)).contains("2:7.7 M40"))
    }

    @Test(arguments: [1, 60, 70, 50_000])
    func deepTreesEnd(levels: Int) {
        var builder = FileBuilder()
        var tree = builder.ints([1, 2, 3])
        for _ in 0..<levels { tree = builder.ints([2 * 1000 + 1, tree, 7], flags: 0xC0) }
        let lists = builder.refs([tree])
        let cluster = builder.cluster(rows: 1, [lists])
        let file = builder.finish([.init(name: "list", type: 0, attributes: 32)], clusters: cluster)
        #expect(rules(file) == (levels > 64 ? ["1:4.1 R23"] : []))
    }

    @Test(arguments: [1, 7, 8, 50_000])
    func deepClusterTreesEnd(levels: Int) {
        var builder = FileBuilder()
        let values = builder.ints([9])
        var tree = builder.cluster(rows: 1, [values])
        for level in 0..<levels { tree = builder.ints([0, 2 * (level + 1) + 1, 3, tree], flags: 0xC0) }
        let file = builder.finish([.init(name: "int", type: 0)], clusters: tree)
        #expect(rules(file).isEmpty == (levels <= 64))
    }

    private func indexNode(_ builder: inout FileBuilder, _ key: Int, _ entry: Int, inner: Bool = false) -> Int {
        let keys = builder.ints([key], width: 32)
        return builder.ints([keys, entry], flags: inner ? 0xE0 : 0x60)
    }

    private func indexFile(level: Int, branches: Int = 0) -> [UInt8] {
        var builder = FileBuilder()
        let text = builder.blob(Array(repeating: 0x61, count: 300) + [0])
        let strings = builder.ints([text], flags: 0x60)
        let cluster = builder.cluster(rows: 1, [strings])
        var index = indexNode(&builder, 0x6161_6161, 1)
        for _ in 0..<branches { index = indexNode(&builder, 0x6161_6161, index, inner: true) }
        for _ in 0..<level { index = indexNode(&builder, 0x6161_6161, index) }
        return builder.finish([.init(name: "s", type: 2, attributes: 1, index: index)], clusters: cluster)
    }

    @Test func indexesEndAtTheirLastLevel() {
        #expect(rules(indexFile(level: 0)).isEmpty)
        #expect(rules(indexFile(level: 50)).isEmpty)
        #expect(rules(indexFile(level: 51)) == ["2:9.4 M33"])
        #expect(rules(indexFile(level: 3, branches: 3)).isEmpty)
        #expect(rules(indexFile(level: 0, branches: 50_000)) == ["2:9.3 R23"])
    }

    @Test func sharedStringsDoNotMultiplyTheWork() {
        func time(_ file: [UInt8]) -> Duration {
            processorTime { #expect(rules(file).contains("1:2.8 R23")) }
        }
        let (short, long) = (time(sharedStrings(1 << 12)), time(sharedStrings(1 << 18)))
        #expect(long < short * 5, "\(short), \(long)")
    }

    /// A file whose 10,240 rows share two strings that differ in their last byte.
    private func sharedStrings(_ size: Int) -> [UInt8] {
        var builder = FileBuilder()
        let first = builder.blob(Array(repeating: 0x61, count: size) + [0])
        let second = builder.blob(Array(repeating: 0x61, count: size - 1) + [0x62, 0])
        let texts = builder.ints([first, second], flags: 0x60)
        let enumKeys = builder.refs([texts])
        let leaves = (0..<40).map { _ in
            let numbers = builder.node(0x01, 256, Array(repeating: 0xAA, count: 32))
            return builder.cluster(rows: 256, [numbers])
        }
        let clusters = builder.ints([0, 3, 2 * 40 * 256 + 1] + leaves, flags: 0xC0)
        let lists = stride(from: 0, to: 40 * 256, by: 1000).map { start in
            builder.ints(Array(start..<min(start + 1000, 40 * 256)))
        }
        let list = builder.ints([2 * 1000 + 1] + lists + [2 * 40 * 256 + 1], flags: 0xC0)
        let index = indexNode(&builder, 0x6161_6161, list)
        let column = FileBuilder.Column(name: "s", type: 2, attributes: 1, index: index)
        return builder.finish([column], clusters: clusters, enumKeys: enumKeys, primaryKey: 0)
    }

    @Test func nodesWithoutBytesDoNotMultiplyTheMemory() {
        var builder = FileBuilder()
        let zeros = builder.node(0x00, 0xFF_FFFF)
        let lists = builder.refs([zeros])
        let cluster = builder.cluster(rows: 1, [lists])
        let list = builder.finish([.init(name: "list", type: 0, attributes: 32)], clusters: cluster)
        #expect(rules(list) == ["1:4.4 W9"])

        var file = FileBuilder()
        let objects = file.cluster(rows: 0, [file.ints([])])
        var bytes = file.finish([.init(name: "int", type: 0)], clusters: objects)
        #expect(rules(bytes).isEmpty)
        // The table names are the node before the top array.
        let names = bytes.count - 16 - 32 - 24
        bytes.replaceSubrange(names + 4..<names + 8, with: [0x08, 0xFF, 0xFF, 0xFF])
        #expect(!FileChecker.check(bytes: bytes).isClean)
    }

    @Test func oneViolationIsNotKeptTwice() {
        var builder = FileBuilder()
        let texts = builder.ints(Array(repeating: 1 << 40, count: 256), flags: 0x60)
        let cluster = builder.cluster(rows: 256, [texts])
        let file = builder.finish([.init(name: "s", type: 2)], clusters: cluster)
        let report = FileChecker.check(bytes: file)
        #expect(report.violations.count { $0.rule == "1:2.1 R23" } == 2)
    }
}
