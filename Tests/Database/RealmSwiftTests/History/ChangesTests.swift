// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// `snapshot(label:)`, `version` and `diff(since:)`.
@Suite struct ChangesTests {
    @Test func keptVersionsHaveNames() throws {
        try withRealm(HistoryPerson.types) { realm in
            let version = realm.version
            var before: Frozen<Realm>? = try realm.snapshot(label: "before import")
            try realm.write {
                realm.create(HistoryPerson.self, value: ["id": 1])
                #expect(realm.version == version)
            }
            #expect(realm.version == version + 1 && before?.version == version && before?.isFrozen == true)
            #expect(before?.isEmpty == true && realm.freeze() != before?.value)
            #expect(try realm.pins().contains { $0.version == version && $0.label.contains("before import") })
            let copy = try before?.value.snapshot(label: "copy")
            #expect(copy?.version == version && copy?.value.freeze() == copy?.value && before?.value.thaw() == realm)
            #expect(try realm.pins().contains { $0.label.contains("copy") })
            before = nil
            #expect(try !realm.pins().contains { $0.label.contains("before import") })
        }
    }

    @Test func theContentsOfChanges() throws {
        try withRealm(HistoryPerson.types) { realm in
            try realm.write {
                for id in 0..<4 { realm.create(HistoryPerson.self, value: ["id": id, "age": id]) }
                realm.create(HistoryThing.self, value: ["label": "chair"])
            }
            let before = try realm.snapshot(label: "before")
            #expect(
                try realm.diff(since: before).isEmpty && realm.diff(since: before).description == "no changes")
            let people = realm.objects(HistoryPerson.self)
            try realm.write {
                realm.delete(people[3])
                people[1].age = 7
                people[1].home = HistoryAddress(value: ["street": "Elm"])
                people[2].age = 2
                realm.create(HistoryPerson.self, value: ["id": 9, "name": "new", "friend": people[0]])
            }
            let changes = try realm.diff(since: before)
            #expect(changes.description == "HistoryPerson: 1 deleted, 1 inserted, 1 modified")
            #expect(changes.oldVersion == before.version && changes.newVersion == realm.version)
            #expect(changes["HistoryThing"] == nil && changes[HistoryThing.self] == nil)
            let person = try #require(changes[HistoryPerson.self])
            let modified = try #require(person.modified.first)
            #expect(modified.object.primaryKey == .int(1) && modified.properties == ["age", "home"])
            #expect(try modified.oldValue(of: "age") == .int(1) && modified.newValue(of: "age") == .int(7))
            #expect(try modified.oldValue(of: "home") == .null && modified.oldValue(of: "wings") == nil)
            guard case .embedded(let home)? = try modified.newValue(of: "home") else { throw Failure("no home") }
            #expect(home["street"] == .string("Elm") && home["lines"] == .list([]))
            let inserted = try #require(person.inserted.first)
            #expect(try inserted.oldValue(of: "name") == nil && inserted.newValue(of: "name") == .string("new"))
            guard case .link(let friend)? = try inserted.newValue(of: "friend") else { throw Failure("no friend") }
            #expect("\(friend)" == "HistoryPerson 0" && realm.object(friend, as: HistoryPerson.self) == people[0])
            let deleted = try #require(person.deleted.first)
            #expect(try deleted.oldValue(of: "age") == .int(3) && deleted.newValue(of: "age") == nil)
            #expect(realm.object(deleted.object, as: HistoryPerson.self) == nil)
            #expect(before.value.object(deleted.object, as: HistoryPerson.self)?.age == 3)
            let back = try before.value.diff(since: Frozen(realm))
            #expect(back[HistoryPerson.self]?.inserted.map(\.object) == person.deleted.map(\.object))
        }
    }

    @Test func recordsAreJSON() throws {
        try withRealm(HistoryPerson.types) { realm in
            let before = try realm.snapshot(label: "before")
            try realm.write {
                let person = realm.create(HistoryPerson.self, value: ["id": 1, "score": 1.0, "photo": Data([1, 2])])
                person.any = .fromArray([.float(.infinity), .uuid(UUID()), .objectId(.generate()), .none, .bool(true)])
                person.anyMap["x"] = .decimal128(Decimal128(value: 3))
                person.friends.append(person)
                person.numbers.insert(3)
                person.home = HistoryAddress(value: ["street": "Elm"])
            }
            let changes = try realm.diff(since: before)
            let lines = try changes.jsonLines()
            let records = try changes.records()
            #expect(lines.hasSuffix("}\n") && lines.split(separator: "\n").count == 1 && records.count == 1)
            let decoded = try JSONDecoder().decode(Realm.ChangeRecord.self, from: Data(lines.utf8))
            #expect(decoded == records.first && decoded.hashValue == records.first?.hashValue)
            #expect(decoded.new["score"] == .double(1) && decoded.new["score"] != .int(1) && decoded.old.isEmpty)
            #expect(lines.contains(#""$double":"1.0""#) && lines.contains(#""numbers":{"$set":[3]}"#))
            for text in [#"{"$date":[1]}"#, #"{"$float":"x"}"#, #"{"$data":"?"}"#, "{}", #"{"$what":1}"#] {
                #expect(throws: (any Error).self, "\(text)") {
                    try JSONDecoder().decode([ChangeValue].self, from: Data("[\(text)]".utf8))
                }
            }
        }
    }

    /// NaNs with payloads and signs, infinities, and zeros of either sign.
    @Test func everyBitOfANumberIsDecoded() throws {
        var values: [ChangeValue] = []
        for bits: UInt64 in [
            0x7FF8_0000_0000_0000, 0xFFF8_0000_0000_0000, 0x7FF8_0000_0000_1234, 0xFFF0_0000_0000_0001,
        ] {
            values.append(.double(Double(bitPattern: bits)))
        }
        for bits: UInt32 in [0x7FC0_0000, 0xFFC0_0000, 0x7FC0_0ABC, 0xFF80_0001] {
            values.append(.float(Float(bitPattern: bits)))
        }
        values += [0.0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude].map { .double($0) }
        values += [0.0, -0.0, .infinity, -.infinity, 0.1].map { .float($0) }
        let decimals = [
            DecimalBits.nan, DecimalBits(low: 7, high: DecimalBits.nan.high),
            DecimalBits(low: 7, high: DecimalBits.nan.high | 1 << 63), .infinity, .infinity.negated,
            DecimalBits(low: 3, high: DecimalBits.infinity.high),
        ]
        values += (decimals + ["0", "-0", "-0E-5", "1.50"].compactMap { DecimalBits($0) }).map {
            .decimal128(Decimal128(bits: $0))
        }
        let encoded = try JSONEncoder().encode(values)
        #expect(try JSONDecoder().decode([ChangeValue].self, from: encoded) == values)
        #expect(Set(values).count == values.count)
        for text in [#"{"$double":"bits:7ff8"}"#, #"{"$float":"bits:x"}"#, #"{"$decimal128":"bits:"}"#] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([ChangeValue].self, from: Data("[\(text)]".utf8))
            }
        }
    }

    static func compare(_ changes: Realm.Changes, _ old: Dump, _ new: Dump) throws {
        var found: [Realm.ObjectReference: (old: [String: ChangeValue], new: [String: ChangeValue])] = [:]
        for record in try changes.records() {
            #expect(found[record.object] == nil, "\(record.object) twice")
            found[record.object] = (record.old, record.new)
            let kind: Realm.ChangedObject.Kind =
                old[record.object] == nil ? .inserted : new[record.object] == nil ? .deleted : .modified
            #expect(record.kind == kind, "\(record.object)")
        }
        for reference in Set(old.keys).union(new.keys) {
            let (before, after) = (old[reference] ?? [:], new[reference] ?? [:])
            let names = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            let (was, now) = found.removeValue(forKey: reference) ?? ([:], [:])
            #expect(was == before.filter { names.contains($0.key) }, "\(reference)")
            #expect(now == after.filter { names.contains($0.key) }, "\(reference)")
        }
        #expect(found.isEmpty, "\(found.keys)")
        for one in changes.classes { #expect(!one.all.isEmpty) }
    }

    @Test(arguments: [Realm.ChangeValue.null, .int(3), nil])
    func aReferenceIsDecodedWithItsKey(_ primaryKey: Realm.ChangeValue?) throws {
        let reference = Realm.ObjectReference(className: "Thing", primaryKey: primaryKey, objectKey: 7)
        let decoded = try JSONDecoder().decode(Realm.ObjectReference.self, from: try JSONEncoder().encode(reference))
        #expect(decoded.primaryKey == primaryKey && decoded == reference)
    }

    @Test func randomHistories() throws {
        var random = SeededGenerator(for: "ChangesTests.randomHistories")
        try withRealm(HistoryPerson.types) { realm in
            var kept: [(Frozen<Realm>, Dump)] = [(try realm.snapshot(label: "0"), realm.dump())]
            for step in 0..<30 {
                try realm.write {
                    var editor = HistoryEditor(realm, SeededGenerator(seed: random.next()))
                    editor.edit(times: 1 + random.below(12))
                }
                let dump = realm.dump()
                let (old, oldDump) = random.pick(kept)
                try Self.compare(try realm.diff(since: old), oldDump, dump)
                try Self.compare(try old.value.diff(since: Frozen(realm)), dump, oldDump)
                kept.append((try realm.snapshot(label: "\(step)"), dump))
                if kept.count > 4 { kept.remove(at: random.below(kept.count)) }
            }
        }
    }

    @Test func aVersionOfAnotherFileIsAnError() throws {
        try withRealm(HistoryPerson.types) { realm in
            let before = try realm.snapshot(label: "before")
            try withRealm(HistoryPerson.types) { other in
                let error = #expect(throws: Realm.Error.self) { try other.diff(since: before) }
                #expect(error?.code == .invalidInput && error?.message.contains("must be of one file") == true)
            }
        }
    }

    @Test func aReferenceToAnotherClassFindsNothing() throws {
        try withRealm(HistoryPerson.types) { realm in
            try realm.write { realm.create(HistoryPerson.self) }
            let reference = realm.objects(HistoryPerson.self)[0].reference
            #expect(realm.object(reference, as: HistoryThing.self) == nil)
            #expect(realm.object(reference, as: HistoryPerson.self) != nil)
        }
    }
}
