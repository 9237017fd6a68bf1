// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

/// A property of every kind. The enum is optional, because reading a required one with a value that isn't a case ends
/// the process, as documented.
final class Thing: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var number: Int
    @Persisted var small: Int8
    @Persisted var maybe: Int?
    @Persisted(indexed: true) var flag: Bool
    @Persisted var float: Float
    @Persisted var double: Double?
    @Persisted(indexed: true) var text: String
    @Persisted var maybeText: String?
    @Persisted(fullText: true) var words: String
    @Persisted var data: Data?
    @Persisted(indexed: true) var date: Date
    @Persisted var objectId: ObjectId
    @Persisted(indexed: true) var uuid: UUID?
    @Persisted var decimal: Decimal128
    @Persisted var any: AnyRealmValue
    @Persisted var nested: AnyRealmValue
    @Persisted var kind: Kind?
    @Persisted var link: Thing?
    @Persisted var label: Label?
    @Persisted var part: Part?
    @Persisted var numbers: List<Int>
    @Persisted var texts: List<String>
    @Persisted var dates: List<Date?>
    @Persisted var decimals: List<Decimal128>
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var links: List<Thing>
    @Persisted var parts: List<Part>
    @Persisted var numberSet: MutableSet<Int>
    @Persisted var textSet: MutableSet<String>
    @Persisted var anySet: MutableSet<AnyRealmValue>
    @Persisted var labelSet: MutableSet<Label>
    @Persisted var numberMap: Map<String, Int>
    @Persisted var textMap: Map<String, String?>
    @Persisted var anyMap: Map<String, AnyRealmValue>
    @Persisted var labelMap: Map<String, Label?>
    @Persisted var partMap: Map<String, Part?>
    @Persisted(originProperty: "link") var linkedBy: LinkingObjects<Thing>
    @Persisted(originProperty: "links") var listedBy: LinkingObjects<Thing>

    enum Kind: Int, PersistableEnum { case one = 1, two, seven = 7 }
}

final class Label: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var value: Int
    @Persisted var any: AnyRealmValue
    @Persisted(originProperty: "label") var things: LinkingObjects<Thing>
}

final class Part: EmbeddedObject {
    @Persisted var number: Int
    @Persisted var text: String?
    @Persisted var screw: Screw?
    @Persisted var screws: List<Screw>
    @Persisted var label: Label?
}

final class Screw: EmbeddedObject {
    @Persisted var length: Double
    @Persisted var text: String
}

let hostileTypes: [ObjectBase.Type] = [Thing.self, Label.self, Part.self, Screw.self]

extension Realm {
    func fillWithThings(_ count: Int) throws {
        let texts = ["alpha", "beta", "", "日本語", "a text too long for a short leaf of any kind, and then some more"]
        try write {
            let labels = (0..<5).map { create(Label.self, value: ["name": "label \($0)", "value": $0]) }
            for id in 0..<count {
                let thing = create(
                    Thing.self,
                    value: [
                        "id": id, "number": id % 10, "text": texts[id % 5], "words": "quick brown fox \(id)",
                        "date": Date(timeIntervalSince1970: Double(id) * 1e6), "decimal": Decimal128(value: id * 1000),
                        "numbers": Array(0..<id % 12), "texts": Array(texts.prefix(id % 6)),
                    ])
                thing.maybe = id % 3 == 0 ? nil : id
                thing.maybeText = id % 2 == 0 ? nil : texts[(id + 1) % 5]
                thing.data = id % 4 == 0 ? nil : Data(repeating: 7, count: id * 7 % 90)
                thing.uuid = id % 3 == 0 ? nil : UUID()
                thing.double = id % 5 == 0 ? nil : Double(id) / 7
                thing.kind = id % 3 == 0 ? nil : .two
                fill(thing, labels, texts)
            }
        }
        try write { delete(objects(Thing.self).where { $0.id == 1 }) }
    }

    private func fill(_ thing: Thing, _ labels: [Label], _ texts: [String]) {
        let things = Array(objects(Thing.self))
        let id = thing.id
        let values: [AnyRealmValue] = [
            .none, .int(id), .string(texts[id % 5]), .bool(true), .double(2.5), .date(thing.date), .data(Data([1, 2])),
            .decimal128(thing.decimal), .object(labels[id % 5]),
        ]
        thing.any = values[id % values.count]
        thing.nested = .fromArray([.int(3), .fromDictionary(["k": values[1], "l": .fromArray([.string("x")])])])
        thing.link = id % 3 == 0 ? nil : things[id / 2]
        thing.label = labels[id % 5]
        if id % 2 == 0 { thing.part = part(labels[0]) }
        for index in 0..<id % 7 {
            thing.dates.append(index % 2 == 0 ? nil : thing.date)
            thing.decimals.append(thing.decimal)
            thing.anys.append(index == 3 ? thing.nested : values[index])
            thing.links.append(things[index % things.count])
            thing.parts.append(part(labels[1]))
            thing.numberSet.insert(index * 3)
            thing.textSet.insert(texts[index % 5])
            thing.anySet.insert(values[index])
            thing.labelSet.insert(labels[index % 5])
            thing.numberMap["k\(index)"] = index
            thing.textMap["k\(index)"] = .some(nil)
            thing.anyMap["k\(index)"] = values[index]
            thing.labelMap["k\(index)"] = labels[index % 5]
            thing.partMap["k\(index)"] = part(nil)
        }
    }

    private func part(_ label: Label?) -> Part {
        let part = Part()
        part.number = 3
        part.text = "part"
        part.label = label
        part.screw = Screw()
        part.screws.append(Screw())
        return part
    }
}
