// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport

@testable import RealmSwift

struct HistoryEditor {
    let realm: Realm
    var random: SeededGenerator
    var ids = 0..<12

    private var people: [HistoryPerson] { realm.objects(HistoryPerson.self).filter { ids.contains($0.id) } }
    private var things: Results<HistoryThing> { realm.objects(HistoryThing.self) }

    init(_ realm: Realm, _ random: SeededGenerator) {
        self.realm = realm
        self.random = random
    }

    mutating func edit(times: Int) {
        for _ in 0..<times { edit() }
    }

    private mutating func edit() {
        let people = people
        guard people.count > 2, things.count > 1 else { return add() }
        switch random.below(14) {
        case 0: add()
        case 1:
            if random.chance(50) { realm.delete(random.pick(people)) } else { realm.delete(random.pick(things)) }
        case 2: editThing(random.pick(things))
        default: edit(random.pick(people))
        }
    }

    private mutating func add() {
        let id = ids.lowerBound + random.below(ids.count)
        let people = people
        if random.chance(60), !people.contains(where: { $0.id == id }) {
            let person = realm.create(HistoryPerson.self, value: ["id": id, "name": "p\(random.below(9))"])
            for _ in 0..<random.below(5) { edit(person) }
        } else {
            let thing = realm.create(HistoryThing.self, value: ["label": "t\(random.below(9))"])
            editThing(thing)
        }
    }

    private mutating func editThing(_ thing: HistoryThing) {
        switch random.below(5) {
        case 0: thing.label = "t\(random.below(9))"
        case 1: thing.owner = anyPerson()
        case 2: change(thing.parts) { $0.random.pick($0.things) }
        case 3: thing.box = random.chance(30) ? nil : room()
        default: thing.box?.size = random.below(9)
        }
    }

    private mutating func edit(_ person: HistoryPerson) {
        switch random.below(20) {
        case 0: person.name = random.chance(30) ? nil : "p\(random.below(9))"
        case 1: person.age = random.below(9)
        case 2: person.score = random.pick([0.0, -0.0, 1.5, .nan, 7])
        case 3: person.born = Date(timeIntervalSince1970: Double(random.below(9)) + 0.25)
        case 4: person.photo = random.chance(30) ? nil : Data([UInt8(random.below(9))])
        case 5: change(person.tags) { "t\($0.random.below(9))" }
        case 6: change(person.numbers) { $0.random.below(9) }
        case 7: change(person.notes) { $0.random.chance(20) ? nil : $0.random.below(9) }
        case 8: person.friend = anyPerson()
        case 9: change(person.friends) { $0.random.pick($0.people) }
        case 10: change(person.crowd) { $0.random.pick($0.people) }
        case 11: change(person.byName) { $0.anyPerson() }
        case 12: person.thing = things.isEmpty || random.chance(30) ? nil : random.pick(things)
        case 13: if let home = person.home, random.chance(80) { edit(home) } else { person.home = maybeAddress() }
        case 14:
            if let room = person.rooms.randomElement(using: &random), random.chance(60) {
                edit(room)
            } else {
                change(person.rooms) { $0.address() }
            }
        case 15:
            if let place = person.places.values.compactMap({ $0 }).randomElement(using: &random), random.chance(60) {
                edit(place)
            } else {
                change(person.places) { $0.maybeAddress() }
            }
        case 16: person.any = value(depth: 0)
        case 17: change(person.anyList) { $0.value(depth: 1) }
        case 18: change(person.anySet) { $0.value(depth: 9) }
        default:
            if case .list(let list) = person.any, random.chance(70) {
                change(list) { $0.value(depth: 2) }
            } else {
                change(person.anyMap) { $0.value(depth: 1) }
            }
        }
    }

    // MARK: Values

    private mutating func anyPerson() -> HistoryPerson? {
        let people = people
        return people.isEmpty || random.chance(20) ? nil : random.pick(people)
    }

    private mutating func maybeAddress() -> HistoryAddress? { random.chance(30) ? nil : address() }

    private mutating func address() -> HistoryAddress {
        let address = HistoryAddress(value: ["street": "s\(random.below(9))"])
        address.resident = anyPerson()
        address.room = random.chance(50) ? nil : room()
        if random.chance(50) { address.cellars.append(room()) }
        return address
    }

    private mutating func room() -> HistoryRoom {
        let room = HistoryRoom(value: ["size": random.below(9)])
        room.any = value(depth: 1)
        return room
    }

    private mutating func edit(_ address: HistoryAddress) {
        switch random.below(6) {
        case 0: address.street = "s\(random.below(9))"
        case 1: address.resident = anyPerson()
        case 2: address.room = random.chance(30) ? nil : room()
        case 3: change(address.lines) { "l\($0.random.below(9))" }
        case 4: change(address.cellars) { $0.room() }
        default:
            address.room?.size = random.below(9)
            address.cellars.first?.any = value(depth: 1)
        }
    }

    private mutating func value(depth: Int) -> AnyRealmValue {
        switch random.below(depth > 2 ? 7 : 9) {
        case 0: .none
        case 1: .int(random.below(9))
        case 2: .string("v\(random.below(9))")
        case 3: .double(Double(random.below(4)) / 2)
        case 4: .bool(random.chance(50))
        case 5: anyPerson().map { .object($0) } ?? .none
        case 6: things.isEmpty ? .none : .object(random.pick(things))
        case 7: .fromArray((0..<random.below(4)).map { _ in value(depth: depth + 1) })
        default:
            .fromDictionary(
                Dictionary(
                    (0..<random.below(3)).map { _ in ("k\(random.below(4))", value(depth: depth + 1)) },
                    uniquingKeysWith: { $1 }))
        }
    }

    // MARK: Collections

    private mutating func change<Element>(_ list: List<Element>, _ make: (inout HistoryEditor) -> Element) {
        switch random.below(6) {
        case 0 where !list.isEmpty: list.remove(at: random.below(list.count))
        case 1 where !list.isEmpty && Element.self != HistoryAddress.self && Element.self != HistoryRoom.self:
            list[random.below(list.count)] = make(&self)
        case 2 where list.count > 1: list.move(from: random.below(list.count), to: random.below(list.count))
        case 3 where random.chance(20): list.removeAll()
        default: list.insert(make(&self), at: random.below(list.count + 1))
        }
    }

    private mutating func change<Element>(_ set: MutableSet<Element>, _ make: (inout HistoryEditor) -> Element) {
        switch random.below(5) {
        case 0 where !set.isEmpty: set.remove(set[random.below(set.count)])
        case 1 where random.chance(20): set.removeAll()
        default: set.insert(make(&self))
        }
    }

    private mutating func change<Value>(_ map: Map<String, Value>, _ make: (inout HistoryEditor) -> Value) {
        let key = "k\(random.below(5))"
        if random.chance(25) { map.removeObject(for: key) } else { map[key] = make(&self) }
    }
}
