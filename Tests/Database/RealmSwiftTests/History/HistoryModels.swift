// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport

@testable import RealmSwift

final class HistoryPerson: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
    @Persisted(indexed: true) var age: Int
    @Persisted var score: Double
    @Persisted var born: Date
    @Persisted var photo: Data?
    @Persisted var tags: List<String>
    @Persisted var numbers: MutableSet<Int>
    @Persisted var notes: Map<String, Int?>
    @Persisted var friend: HistoryPerson?
    @Persisted var friends: List<HistoryPerson>
    @Persisted var crowd: MutableSet<HistoryPerson>
    @Persisted var byName: Map<String, HistoryPerson?>
    @Persisted var thing: HistoryThing?
    @Persisted var home: HistoryAddress?
    @Persisted var rooms: List<HistoryAddress>
    @Persisted var places: Map<String, HistoryAddress?>
    @Persisted var any: AnyRealmValue
    @Persisted var anyList: List<AnyRealmValue>
    @Persisted var anySet: MutableSet<AnyRealmValue>
    @Persisted var anyMap: Map<String, AnyRealmValue>
    @Persisted(originProperty: "friends") var fans: LinkingObjects<HistoryPerson>

    override class func propertiesMapping() -> [String: String] { ["score": "the_score"] }

    static let types: [ObjectBase.Type] = [
        HistoryPerson.self, HistoryThing.self, HistoryAddress.self, HistoryRoom.self,
    ]
}

final class HistoryThing: TestObject {
    @Persisted var label: String
    @Persisted var owner: HistoryPerson?
    @Persisted var parts: List<HistoryThing>
    @Persisted var box: HistoryRoom?
}

final class HistoryAddress: TestEmbedded {
    @Persisted var street: String
    @Persisted var resident: HistoryPerson?
    @Persisted var room: HistoryRoom?
    @Persisted var lines: List<String>
    @Persisted var cellars: List<HistoryRoom>
}

final class HistoryRoom: TestEmbedded {
    @Persisted var size: Int
    @Persisted var any: AnyRealmValue
}

typealias ChangeValue = Realm.ChangeValue

/// The contents of a Realm, read through its API: the properties of each object that isn't embedded.
typealias Dump = [Realm.ObjectReference: [String: ChangeValue]]

extension Realm {
    func dump() -> Dump {
        var dump: Dump = [:]
        for person in objects(HistoryPerson.self) { dump[person.reference] = person.values }
        for thing in objects(HistoryThing.self) { dump[thing.reference] = thing.values }
        return dump
    }
}

extension HistoryPerson {
    var reference: Realm.ObjectReference {
        Realm.ObjectReference(className: "HistoryPerson", primaryKey: .int(Int64(id)), objectKey: _rlmRow.key.rawValue)
    }

    var values: [String: ChangeValue] {
        [
            "id": .int(Int64(id)), "name": name.map { .string($0) } ?? .null, "age": .int(Int64(age)),
            "score": .double(score), "born": .date(born), "photo": photo.map { .data($0) } ?? .null,
            "tags": .list(tags.map { .string($0) }), "numbers": .set(numbers.map { .int(Int64($0)) }),
            "notes": .dictionary(
                Dictionary(uniqueKeysWithValues: notes.map { ($0.key, $0.value.map { .int(Int64($0)) } ?? .null) })),
            "friend": friend.link, "friends": .list(friends.map { .link($0.reference) }),
            "crowd": .set(crowd.map { .link($0.reference) }),
            "byName": .dictionary(Dictionary(uniqueKeysWithValues: byName.map { ($0.key, $0.value.link) })),
            "thing": thing.map { .link($0.reference) } ?? .null, "home": home?.value ?? .null,
            "rooms": .list(rooms.map(\.value)),
            "places": .dictionary(
                Dictionary(uniqueKeysWithValues: places.map { ($0.key, $0.value?.value ?? .null) })),
            "any": any.value, "anyList": .list(anyList.map(\.value)), "anySet": .set(anySet.map(\.value)),
            "anyMap": .dictionary(Dictionary(uniqueKeysWithValues: anyMap.map { ($0.key, $0.value.value) })),
        ]
    }
}

extension HistoryThing {
    var reference: Realm.ObjectReference {
        Realm.ObjectReference(className: "HistoryThing", primaryKey: nil, objectKey: _rlmRow.key.rawValue)
    }

    var values: [String: ChangeValue] {
        [
            "label": .string(label), "owner": owner.link, "parts": .list(parts.map { .link($0.reference) }),
            "box": box?.value ?? .null,
        ]
    }
}

extension HistoryAddress {
    var value: ChangeValue {
        .embedded([
            "street": .string(street), "resident": resident.link, "room": room?.value ?? .null,
            "lines": .list(lines.map { .string($0) }), "cellars": .list(cellars.map(\.value)),
        ])
    }
}

extension HistoryRoom {
    var value: ChangeValue { .embedded(["size": .int(Int64(size)), "any": any.value]) }
}

extension HistoryPerson? {
    fileprivate var link: ChangeValue { self.map { .link($0.reference) } ?? .null }
}

extension AnyRealmValue {
    fileprivate var value: ChangeValue {
        switch self {
        case .none: .null
        case .int(let value): .int(Int64(value))
        case .bool(let value): .bool(value)
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .data(let value): .data(value)
        case .date(let value): .date(value)
        case .object(let person as HistoryPerson): .link(person.reference)
        case .object(let thing as HistoryThing): .link(thing.reference)
        case .object: .null
        case .objectId(let value): .objectId(value)
        case .decimal128(let value): .decimal128(value)
        case .uuid(let value): .uuid(value)
        case .list(let list): .list(list.map(\.value))
        case .dictionary(let map):
            .dictionary(Dictionary(uniqueKeysWithValues: map.map { ($0.key, $0.value.value) }))
        }
    }
}
