// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

@Suite struct AnyRealmValueTests: TrapSuite {
    @Test(.behaviour("B-008")) func theDefaultIsNone() {
        #expect(Holder().any == .none && AnyRealmValue() == .none)
    }

    @Test(.behaviour("B-104")) func accessorsReturnNilForOtherCases() {
        let values = Samples.scalars + [Samples.nested, .fromDictionary([:]), .object(Animal("Leo"))]
        for value in values {
            let found: [Any?] = [
                value.intValue, value.boolValue, value.floatValue, value.doubleValue, value.stringValue,
                value.dataValue, value.dateValue, value.objectIdValue, value.decimal128Value, value.uuidValue,
                value.object(Animal.self), value.listValue, value.dictionaryValue,
            ]
            #expect(found.compactMap { $0 }.count == (value == .none ? 0 : 1), "\(value)")
        }
        #expect(AnyRealmValue.string("1").intValue == nil)
    }

    @Test(.behaviour("B-100")) func equality() throws {
        #expect(AnyRealmValue.int(1) != .double(1) && AnyRealmValue.int(1) == .int(1))
        #expect(AnyRealmValue.fromArray([.int(1)]) == .fromArray([.int(1)]))
        #expect(AnyRealmValue.fromDictionary(["a": .none]) != .fromDictionary([:]))
        #expect(AnyRealmValue.fromArray([]).hashValue == AnyRealmValue.fromArray([.int(1)]).hashValue)
        try withRealm(Holder.types) { realm in
            try realm.write {
                realm.create(Holder.self, value: ["id": 1, "any": 1])
                realm.create(Holder.self, value: ["id": 2, "any": 1.0])
                realm.create(Holder.self, value: ["id": 3, "any": "1"])
                realm.create(Holder.self, value: ["id": 4, "any": true])
            }
            let holders = realm.objects(Holder.self)
            #expect(holders.where { $0.any == .int(1) }.map(\.id).sorted() == [1, 2])
            #expect(holders.where { $0.any > .double(0.5) }.map(\.id).sorted() == [1, 2])
            #expect(holders.where { $0.any == .string("1") }.map(\.id) == [3])
        }
    }

    @Test(.behaviour("B-101")) func everyScalar() throws {
        try withRealm(Holder.types) { realm in
            let holder = try realm.write { realm.create(Holder.self) }
            for value in Samples.scalars {
                try realm.write {
                    holder.any = value
                    #expect(holder.any == value)
                }
                #expect(holder.any == value)
            }
        }
    }

    @Test(.behaviour("B-102", "B-103", "B-105")) func objects() throws {
        try withRealm(Holder.types) { realm in
            let (holder, leo) = (try realm.write { realm.create(Holder.self) }, Animal("Leo"))
            try realm.write { holder.any = .object(leo) }
            #expect(leo.realm == realm && holder.any.object(Animal.self)?.name == "Leo")
            #expect(holder.any.object(Holder.self) == nil && holder.any.object(Object.self) != nil)
            try realm.write {
                holder.any = .object(holder)
                holder.any = holder.any
            }
            #expect(holder.any.object(Holder.self)?.id == 0)
            try realm.write {
                holder.any = .object(leo)
                holder.anys.append(.object(leo))
                holder.anys.append(.fromArray([.object(leo)]))
                realm.delete(leo)
            }
            // The element of a list is removed, nested or not.
            #expect(holder.any == .none && holder.anys.count == 1 && holder.anys[0].listValue?.count == 0)
        }
    }

    @Test func objectsWithoutAModel() throws {
        class Target: TestObject {
            @Persisted var value: AnyRealmValue
            @Persisted var second: AnyRealmValue
        }
        let file = try TemporaryFolderURL()
        try file.open([Target.self, Animal.self, Holder.self, HeldBox.self]) { realm in
            try realm.write { _ = realm.create(Target.self, value: ["value": Animal("Leo")]) }
        }
        try file.open([Target.self], additive: true) { realm in
            let target = try #require(realm.objects(Target.self).first)
            let unknown = try #require(target.value.object(Object.self))
            #expect(!unknown.isInvalidated && unknown.realm == realm && target.value.object(Target.self) == nil)
            try realm.write { target.second = target.value }
            #expect(target.second.object(Object.self)?.isSameObject(as: unknown) == true)
        }
        try file.open([Target.self, Animal.self, Holder.self, HeldBox.self]) { realm in
            #expect(realm.objects(Target.self).first?.second.object(Animal.self)?.name == "Leo")
        }
    }

    @Test(.behaviour("B-106", "B-107")) func nestedCollectionsAreLive() throws {
        try withRealm(Holder.types) { realm in
            let holder = try realm.write { realm.create(Holder.self) }
            try realm.write { holder.any = .fromArray([.int(1), .string("a")]) }
            let list = try #require(holder.any.listValue)
            #expect(list.count == 2 && list.realm == realm && !list.isInvalidated)
            try realm.write {
                list.append(.fromDictionary(["k": .int(1)]))
                list.remove(at: 0)
            }
            #expect(holder.any.text == "[string(\"a\"), {k: int(1)}]")
            let map = try #require(list[1].dictionaryValue)
            try realm.write {
                list.insert(.none, at: 0)
                list.swapAt(0, 1)
                list.move(from: 2, to: 0)
                // The map is one object in both places.
                map["k"] = .fromArray([.bool(true)])
                map["new"] = AnyRealmValue.none
            }
            #expect(holder.any.text == "[{k: [bool(true)], new: none}, string(\"a\"), none]")
            let inner = try #require(map["k"]?.listValue)
            try realm.write { inner[0] = .fromArray([.int(5)]) }
            #expect(inner.text == "[[int(5)]]" && list.index(of: .string("a")) == 1)
            #expect(list == holder.any.listValue && map == holder.any.listValue?[0].dictionaryValue)
        }
    }

    @Test(.behaviour("B-109")) func overwrittenCollectionsAreInvalid() throws {
        try withRealm(Holder.types) { realm in
            let holder = try realm.write { realm.create(Holder.self) }
            try realm.write { holder.any = .fromArray([.fromDictionary(["a": .int(1)])]) }
            let (list, map) = (
                try #require(holder.any.listValue), try #require(holder.any.listValue?[0].dictionaryValue)
            )
            try realm.write { list[0] = .int(1) }
            #expect(!list.isInvalidated && map.isInvalidated && map.count == 0 && map["a"] == nil)
            try realm.write { holder.any = .fromArray([.int(2)]) }
            #expect(list.isInvalidated && list.count == 0 && holder.any.listValue?.count == 1)
            let second = try #require(holder.any.listValue)
            try realm.write { holder.any = .list(second) }
            #expect(second.isInvalidated && holder.any.text == "[int(2)]")
            let third = try #require(holder.any.listValue)
            try realm.write { holder.any = .int(1) }
            #expect(third.isInvalidated && holder.any == .int(1))
        }
    }

    @Test func copiesOfManagedCollections() throws {
        try withRealm(Holder.types) { realm in
            let holder = try realm.write { realm.create(Holder.self) }
            try realm.write {
                holder.any = Samples.nested
                holder.anys.append(holder.any)
                holder.anyMap["copy"] = holder.any
                holder.anyMap["copy"]?.listValue?.removeLast()
                if let list = holder.any.listValue { list[2].listValue?.append(holder.any) }
            }
            #expect(holder.anys[0].text == Samples.nested.text)
            #expect(holder.anyMap["copy"]?.listValue?.count == 2)
            #expect(holder.any.listValue?[2].listValue?[0].text == Samples.nested.text)
        }
    }

    @Test(.behaviour("B-108")) func hundredLevels() throws {
        var value = AnyRealmValue.int(1)
        for level in 0..<100 { value = level % 2 == 0 ? .fromArray([value]) : .fromDictionary(["k": value]) }
        try withRealm(Holder.types) { realm in
            let holder = try realm.write { realm.create(Holder.self) }
            try realm.write { holder.any = value }
            #expect(holder.any.text == value.text)
        }
    }

    @Test(.behaviour("B-108"), arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Max nesting level reached") {
            inWrite(Holder.types) { realm in
                var value = AnyRealmValue.int(1)
                for _ in 0..<101 { value = .fromArray([value]) }
                realm.create(Holder.self).any = value
            }
        },
        Trap("Max nesting level reached") {
            inWrite(Holder.types) { realm in
                let holder = realm.create(Holder.self)
                holder.any = .fromArray([])
                var list = holder.any.listValue
                for _ in 0..<100 {
                    list?.append(.fromArray([]))
                    list = list?[0].listValue
                }
            }
        },
        Trap("Max nesting level reached") {
            let list = List<AnyRealmValue>()
            list.append(.list(list))
            inWrite(Holder.types) { realm in realm.create(Holder.self).any = .list(list) }
        },
        Trap("Cannot modify managed List outside of a write transaction.") {
            inRealm(Holder.types) { realm in
                let holder = try realm.write { realm.create(Holder.self, value: ["any": [1]]) }
                holder.any.listValue?.append(.int(1))
            }
        },
        Trap("List is no longer valid.") {
            inWrite(Holder.types) { realm in
                let holder = realm.create(Holder.self, value: ["any": [1]])
                let list = holder.any.listValue
                holder.any = .none
                list?.append(.int(1))
            }
        },
        Trap("Invalid data type for RLMPropertyTypeAny property.") { _ = Holder(value: ["any": HeldBox(1)]) },
    ]

    @Test(.behaviour("B-112")) func sortOrder() throws {
        try withRealm(Holder.types) { realm in
            let order: [AnyRealmValue] = [
                .none, .bool(true), .int(3), .string("a"), .data(Data([1])), .date(Samples.date),
                .objectId(Samples.objectId), .uuid(Samples.uuid),
            ]
            try realm.write {
                for (id, value) in order.enumerated().reversed() {
                    realm.create(Holder.self, value: ["id": id]).any = value
                }
            }
            #expect(realm.objects(Holder.self).sorted(byKeyPath: "any").map(\.any) == order)
            let holder = try #require(realm.objects(Holder.self).first)
            try realm.write { holder.anys.append(objectsIn: order.reversed()) }
            #expect(Array(holder.anys.sorted(ascending: true)) == order)
            #expect(holder.anys.min() == .bool(true) && holder.anys.max() == .uuid(Samples.uuid))
        }
    }

    @Test func dynamicAccessSeesThePayload() throws {
        try withRealm(Holder.types) { realm in
            let holder = try realm.write { realm.create(Holder.self, value: ["any": 3]) }
            #expect(holder["any"] as? Int == 3)
            try realm.write { holder["any"] = ["k": [1]] }
            #expect(holder.any.text == "{k: [int(1)]}")
            try realm.write { holder["any"] = nil }
            #expect(holder["any"] == nil)
        }
    }
}

extension List<AnyRealmValue> {
    fileprivate var text: String { AnyRealmValue.list(self).text }
}
