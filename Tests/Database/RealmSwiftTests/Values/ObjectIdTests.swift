// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import TestTraits
import Testing

@testable import RealmSwift

@Suite struct ObjectIdTests {
    @Test(.behaviour("B-123")) func text() throws {
        let id = try ObjectId(string: "1234567890ab1234567890AB")
        #expect(id.stringValue == "1234567890ab1234567890ab" && id.description == id.stringValue)
        #expect("\(id)" == id.stringValue && id == ObjectId("1234567890ab1234567890ab"))
        #expect(
            id.bits == ObjectIdBytes(high: 0x1234_5678_90AB_1234, low: 0x5678_90AB) && ObjectId(bits: id.bits) == id)
        #expect(ObjectId().stringValue == String(repeating: "0", count: 24))
    }

    @Test(
        .behaviour("B-124"),
        arguments: [
            "", "123", "1234567890ab1234567890a", "1234567890ab1234567890abc", "1234567890ab1234567890ag",
            "1234567890ab1234567890é", " 234567890ab1234567890ab", "+234567890ab1234567890ab", "１234567890ab1234567890",
        ])
    func invalidText(_ text: String) {
        let error = #expect(throws: (any Error).self) { try ObjectId(string: text) }
        #expect(error?.localizedDescription == "Invalid Object ID string '\(text)': must be 24 hex digits")
    }

    @Test func invalidLiteralEndsTheProcess() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = ObjectId("123")
        }.expectText("Invalid Object ID string '123': must be 24 hex digits")
    }

    @Test(.behaviour("B-126")) func generatedOnesDiffer() async {
        let before = Date().timeIntervalSince1970.rounded(.down)
        let ids = await withTaskGroup(of: [ObjectId].self) { group in
            for _ in 0..<4 { group.addTask { (0..<1000).map { _ in ObjectId.generate() } } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(ids).count == 4000)
        #expect(Set(ids.map { $0.bits.bytes[4..<9] }).count == 1, "the bytes of the process")
        for id in ids {
            #expect(id.timestamp.timeIntervalSince1970 >= before && id.timestamp <= Date())
        }
        let counters = ids.map { $0.bits.low & 0xFF_FFFF }
        #expect(Set(counters).count == 4000)
    }

    @Test(.behaviour("B-125")) func parts() {
        let now = Date()
        let id = ObjectId(timestamp: now, machineId: 0x1_0A0B_0C0D, processId: 0x7_1234)
        #expect(id.timestamp.timeIntervalSince1970 == now.timeIntervalSince1970.rounded(.down))
        #expect(Array(id.bits.bytes[4..<9]) == [0x0B, 0x0C, 0x0D, 0x12, 0x34])
        let next = ObjectId(timestamp: now, machineId: 0x1_0A0B_0C0D, processId: 0x7_1234)
        #expect(next != id && next.bits.high == id.bits.high)
        _ = ObjectId(timestamp: Date(timeIntervalSince1970: .infinity), machineId: -1, processId: .min)
        _ = ObjectId(timestamp: Date(timeIntervalSince1970: -1.5), machineId: .max, processId: .max)
    }

    @Test(.behaviour("B-126")) func orderIsBytewise() {
        let (a, b) = (ObjectId("7f0000000000000000000000"), ObjectId("800000000000000000000000"))
        let c = ObjectId("800000000000000000000001")
        #expect(a < b && b < c && a < c && c > a && a <= b && b >= a && a <= a && a >= a && !(b < a) && !(a > b))
        #expect([c, a, b].sorted() == [a, b, c] && Set([a, b, c, ObjectId(bits: a.bits)]).count == 3)
    }

    @Test func coding() throws {
        let id = ObjectId.generate()
        let data = try JSONEncoder().encode([id])
        #expect(String(decoding: data, as: UTF8.self) == "[\"\(id.stringValue)\"]")
        #expect(try JSONDecoder().decode([ObjectId].self, from: data) == [id])
        #expect(throws: (any Error).self) { try JSONDecoder().decode([ObjectId].self, from: Data(#"["12"]"#.utf8)) }
        #expect(throws: (any Error).self) { try JSONDecoder().decode([ObjectId].self, from: Data("[12]".utf8)) }
    }
}
