// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmStorage

final class ValueIndexModel {
    let harness: IndexStore
    let isMixed: Bool
    var root: Ref
    var values: [ObjectKey: StoredValue] = [:]

    convenience init(capacity: Int, isMixed: Bool = true) throws {
        try self.init(harness: IndexStore(capacity: capacity), isMixed: isMixed)
    }

    init(harness: IndexStore, isMixed: Bool) throws {
        self.harness = harness
        self.isMixed = isMixed
        root = try SearchIndexEditor(harness.store).create()
    }

    var reader: SearchIndex { SearchIndex(harness.space, root: root, isMixed: isMixed) }

    func insert(_ value: StoredValue, _ key: Int64) throws {
        // The index must not read the key, so the column gets the value afterwards.
        try SearchIndexEditor(harness.store).insert(&root, value, ObjectKey(key), isMixed: isMixed) {
            #expect($0.rawValue != key)
            return self.values[$0]
        }
        values[ObjectKey(key)] = value
    }

    func erase(_ key: Int64) throws {
        let value = values.removeValue(forKey: ObjectKey(key))!
        #expect(
            try SearchIndexEditor(harness.store).erase(&root, value, ObjectKey(key), isMixed: isMixed) {
                self.values[$0]
            },
            "object \(key) was not under \(value)")
    }

    func erase(_ keys: [ObjectKey]) throws -> Int {
        let removals = keys.map { IndexedObject($0, IndexData(values[$0]!)) }
        let absent = try SearchIndexEditor(harness.store).erase(&root, removals)
        for key in keys where !absent.contains(key) { values[key] = nil }
        for key in absent { try erase(key.rawValue) }
        return absent.count
    }

    func freeKey(_ random: inout SplitMix) -> Int64 {
        let range: ClosedRange<Int64> = Bool.random(using: &random) ? 0...300 : 0...(.max)
        while true {
            let key = Int64.random(in: range, using: &random)
            if values[ObjectKey(key)] == nil { return key }
        }
    }

    func paths() throws -> [[Int32]] {
        try IndexVerifier(harness.space, root, capacity: harness.capacity).places.map(\.path)
    }

    func check() throws {
        try IndexVerifier(harness.space, root, capacity: harness.capacity).checkValues(values)
    }

    func checkFind(_ value: StoredValue) throws {
        let expected = values.filter { StoredValue.compare($0.value, value) == 0 }.keys.sorted()
        let valueOf: (ObjectKey) -> StoredValue? = { self.values[$0] }
        #expect(try reader.keys(equalTo: value, valueOf: valueOf) == expected, "\(value)")
        #expect(try reader.count(equalTo: value, valueOf: valueOf) == expected.count, "\(value)")
        let first = try reader.first(equalTo: value, valueOf: valueOf)
        #expect(first.map { expected.contains($0) } ?? expected.isEmpty, "\(value)")
    }
}

enum ValueKind: CaseIterable {
    case int, bool, string, timestamp, objectId, uuid, mixed

    func random(_ random: inout SplitMix) -> StoredValue {
        if Int.random(in: 0..<8, using: &random) == 0 { return .null }
        switch self {
        case .int: return .int(ValueKind.int(&random))
        case .bool: return .bool(.random(using: &random))
        case .string: return .string(ValueKind.text(&random))
        case .timestamp:
            let nanoseconds = Int32.random(in: 0...2, using: &random)
            return .timestamp(
                Timestamp(seconds: Int64(UInt8.random(in: 0...3, using: &random)), nanoseconds: nanoseconds))
        case .objectId:
            return .objectId(ObjectIdBytes(high: ValueKind.bits(&random), low: .random(in: 0...2, using: &random)))
        case .uuid: return .uuid(UUIDBytes(high: ValueKind.bits(&random), low: ValueKind.bits(&random)))
        case .mixed: return ValueKind.mixedValue(&random)
        }
    }

    private static func bits(_ random: inout SplitMix) -> UInt64 {
        [0, 1, .max, 0x5800_0000, 0x5800_0000_0000_0000].randomElement(using: &random)!
    }

    private static func int(_ random: inout SplitMix) -> Int64 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .random(in: -3...3, using: &random)
        case 1: .random(in: -3...3, using: &random) << 32
        case 2: .random(in: 0...300, using: &random)
        default: .random(in: .min ... .max, using: &random)
        }
    }

    private static func text(_ random: inout SplitMix) -> String {
        let prefix = [0, 3, 4, 7, 8, 60, 195, 196, 199, 200, 201, 203, 204, 205, 290, 300].randomElement(
            using: &random)!
        let tail = (0..<Int.random(in: 0...5, using: &random)).map { _ in
            ["X", "a", "\0", "é", "b"].randomElement(using: &random)!
        }
        return String(repeating: "p", count: prefix) + tail.joined()
    }

    private static func mixedValue(_ random: inout SplitMix) -> StoredValue {
        let small = Int64.random(in: -2...2, using: &random)
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return .int(small)
        case 1: return .double(Double(small) / 2)
        case 2: return .float(Float(small) / 2)
        case 3: return .bool(small > 0)
        case 4: return .decimal(DecimalBits(Int64(small)))
        case 5: return .string(["X", "", "__List__", "ab"].randomElement(using: &random)!)
        case 6: return .binary([[0x58], [], Array("ab".utf8)].randomElement(using: &random)!)
        case 7: return .list(0, key: small)
        case 8: return .dictionary(0, key: small)
        case 9: return .timestamp(Timestamp(seconds: 0, nanoseconds: 0))
        case 10: return .objectId(ObjectIdBytes(high: 0, low: 0))
        case 11: return .typedLink(ObjectLink(table: TableKey(1), object: ObjectKey(abs(small))))
        case 12: return ValueKind.allCases.dropLast().randomElement(using: &random)!.random(&random)
        default: return .double(.random(in: -1e12...1e12, using: &random))
        }
    }
}

func permutations<Element>(_ elements: [Element]) -> [[Element]] {
    guard elements.count > 1 else { return [elements] }
    return elements.indices.flatMap { index in
        var rest = elements
        let element = rest.remove(at: index)
        return permutations(rest).map { [element] + $0 }
    }
}
