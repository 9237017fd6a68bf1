// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport

enum LeafSample: String, CaseIterable, Sendable {
    case int, optionalInt, bool, float, double, string, binary, timestamp, decimal, objectId, uuid, link, key, mixed
    case collection, backlink

    var kind: LeafKind {
        switch self {
        case .int: .int
        case .optionalInt: .optionalInt
        case .bool: .bool
        case .float: .float
        case .double: .double
        case .string: .string
        case .binary: .binary
        case .timestamp: .timestamp
        case .decimal: .decimal
        case .objectId: .objectId
        case .uuid: .uuid
        case .link: .link
        case .key: .key
        case .mixed: .mixed
        case .collection: .collection
        case .backlink: .backlink
        }
    }

    var isNullable: Bool { self != .int && self != .key }

    static let edges: [Int64] = {
        let bounds = [0, 1, 3, 15, 0x7F, 0x7FFF, 0x7FFF_FFFF, Int64.max]
        return Array(Set(bounds.flatMap { [$0, ~$0, $0 &- 1, ~($0 &- 1), $0 == .max ? $0 : $0 + 1] })).sorted()
    }()

    /// Texts of every length at which a leaf changes, with zero bytes and multibyte characters.
    static func text(_ random: inout SeededGenerator, maximum: Int) -> String {
        let lengths = [0, 0, 1, 2, 3, 4, 5, 7, 8, 9, 14, 15, 16, 17, 31, 62, 63, 64, 65, 300].filter { $0 <= maximum }
        let length = lengths.randomElement(using: &random)!
        let pieces = ["a", "z", "\0", "ä", "e\u{301}", "🏳️‍🌈", "中"]
        var text = ""
        while text.utf8.count < length {
            let piece = pieces.randomElement(using: &random)!
            text += text.utf8.count + piece.utf8.count <= length ? piece : "x"
        }
        return text
    }

    /// Values of one range at a time, so that leaves of every width and form occur.
    func value(_ random: inout SeededGenerator, scale: Int, _ newTree: (Int64) throws -> Ref) rethrows -> StoredValue {
        if isNullable, random.chance(15) { return .null }
        let limit: Int64 = [1, 4, 16, 128, 1 << 15, 1 << 31, .max][scale % 7]
        var number: Int64 {
            let near = LeafSample.edges.filter { abs($0 == .min ? .max : $0) <= limit }
            return random.chance(50) ? near.randomElement(using: &random)! : Int64.random(in: 0..<limit, using: &random)
        }
        func bytes(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in [0, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random)! }
        }
        switch self {
        case .int, .optionalInt: return .int(number)
        case .bool: return .bool(.random(using: &random))
        case .float:
            return .float([0, -0.0, 1.5, .nan, .infinity, Float(number)].randomElement(using: &random)!)
        case .double:
            return .double([0, -0.0, 1.5, .nan, .infinity, Double(number)].randomElement(using: &random)!)
        case .string: return .string(LeafSample.text(&random, maximum: [15, 63, 300][scale % 3]))
        case .binary:
            let count = [0, 1, 2, 15, 16, 63, 64, scale % 2 == 0 ? 64 : 65, scale % 2 == 0 ? 3 : 200]
            return .binary(bytes(count.randomElement(using: &random)!))
        case .timestamp:
            let seconds = number
            let nanoseconds = Int32.random(in: 0...999_999_999, using: &random)
            return .timestamp(Timestamp(seconds: seconds, nanoseconds: seconds < 0 ? -nanoseconds : nanoseconds))
        case .decimal: return .decimal(LeafSample.decimal(&random, scale: scale))
        case .objectId: return .objectId(ObjectIdBytes(bytes: bytes(12)))
        case .uuid: return .uuid(UUIDBytes(bytes: bytes(16)))
        case .link, .key:
            let key = number
            return .link(ObjectKey(key == -1 || key == .max || key == .min ? 7 : key))
        case .collection: return .list(try newTree(number), key: 0)
        case .backlink:
            let key = number
            return random.chance(50) ? .link(ObjectKey(max(0, key))) : .list(try newTree(key), key: 0)
        case .mixed:
            let others = LeafSample.allCases.filter { ![.mixed, .key, .link, .collection, .backlink].contains($0) }
            switch random.below(6) {
            case 0:
                let key = Int64(Int32.random(in: 1 ... .max, using: &random))
                let tree = try newTree(number)
                return random.chance(50) ? .list(tree, key: key) : .dictionary(tree, key: -key)
            case 1: return .typedLink(ObjectLink(table: TableKey(7), object: ObjectKey(number == -1 ? 3 : 4)))
            default:
                let sample = others.randomElement(using: &random)!
                return try sample.value(&random, scale: scale, newTree)
            }
        }
    }

    private static func decimal(_ random: inout SeededGenerator, scale: Int) -> DecimalBits {
        let coefficient = [UInt64(0), 1, 150, 1 << 23 - 1, 1 << 23, 1 << 53 - 1, 1 << 53, .max][
            random.below(2 + scale % 7)]
        let exponent = [0, 0, -2, 90, -90, 91, 369, -370, 6111, -6176][random.below(2 + scale % 9)]
        let sign: UInt64 = random.chance(30) ? 1 << 63 : 0
        let high: UInt64 = scale % 7 == 6 && random.chance(50) ? 0x1234_5678 : 0
        if scale % 7 == 6, random.chance(10) { return DecimalBits(low: 0, high: sign | 0x7800_0000_0000_0000) }
        if scale % 7 == 5, random.chance(10) { return DecimalBits(low: 5, high: sign | 0x7C00_0000_0000_0000) }
        return DecimalBits(low: coefficient, high: sign | UInt64(exponent + 6176) << 49 | high)
    }
}

func isSame(_ a: StoredValue, _ b: StoredValue) -> Bool {
    switch (a, b) {
    case (.float(let x), .float(let y)): x.bitPattern == y.bitPattern
    case (.double(let x), .double(let y)): x.bitPattern == y.bitPattern
    case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
    default: a == b
    }
}
