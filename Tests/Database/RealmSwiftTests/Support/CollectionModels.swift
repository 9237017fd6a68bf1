// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

@testable import RealmSwift

class Holder: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var any: AnyRealmValue
    @Persisted var anys: List<AnyRealmValue>

    @Persisted var ints: MutableSet<Int>
    @Persisted var bools: MutableSet<Bool?>
    @Persisted var floats: MutableSet<Float>
    @Persisted var doubles: MutableSet<Double?>
    @Persisted var strings: MutableSet<String?>
    @Persisted var datas: MutableSet<Data>
    @Persisted var dates: MutableSet<Date>
    @Persisted var objectIds: MutableSet<ObjectId>
    @Persisted var uuids: MutableSet<UUID?>
    @Persisted var decimals: MutableSet<Decimal128>
    @Persisted var sizes: MutableSet<Size>
    @Persisted var colors: MutableSet<Color?>
    @Persisted var animals: MutableSet<Animal>
    @Persisted var anySet: MutableSet<AnyRealmValue>

    @Persisted var intMap: Map<String, Int>
    @Persisted var boolMap: Map<String, Bool?>
    @Persisted var floatMap: Map<String, Float>
    @Persisted var doubleMap: Map<String, Double?>
    @Persisted var stringMap: Map<String, String?>
    @Persisted var dataMap: Map<String, Data>
    @Persisted var dateMap: Map<String, Date>
    @Persisted var objectIdMap: Map<String, ObjectId>
    @Persisted var uuidMap: Map<String, UUID?>
    @Persisted var decimalMap: Map<String, Decimal128>
    @Persisted var sizeMap: Map<String, Size>
    @Persisted var colorMap: Map<String, Color?>
    @Persisted var animalMap: Map<String, Animal?>
    @Persisted var boxMap: Map<String, HeldBox?>
    @Persisted var anyMap: Map<String, AnyRealmValue>

    static let types: [ObjectBase.Type] = [Holder.self, Animal.self, HeldBox.self]
}

class Animal: TestObject {
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted(originProperty: "animals") var holders: LinkingObjects<Holder>
    @Persisted(originProperty: "animalMap") var mapHolders: LinkingObjects<Holder>

    convenience init(_ name: String, _ age: Int = 0) {
        self.init(value: ["name": name, "age": age])
    }
}

class HeldBox: TestEmbedded {
    @Persisted var number: Int
    @Persisted var content: AnyRealmValue

    convenience init(_ number: Int) { self.init(value: ["number": number]) }
}

enum Samples {
    static let date = Date(timeIntervalSinceReferenceDate: 700_000_000.5)
    static let objectId = ObjectId("1234567890ab1234567890ab")
    static let uuid = UUID(uuidString: "12345678-1234-1234-1234-1234567890AB") ?? UUID()

    static var scalars: [AnyRealmValue] {
        [
            .none, .bool(false), .bool(true), .int(.min), .int(7), .int(.max), .float(1.5), .double(-0.25),
            .decimal128(Decimal128("1234567890123456789.5")), .string(""), .string("läuft"), .data(Data()),
            .data(Data([0, 255])), .date(date), .objectId(objectId), .uuid(uuid),
        ]
    }

    static var nested: AnyRealmValue {
        .fromArray([
            .int(1),
            .fromDictionary(["a": .string("x"), "b": .fromArray([.double(2), .none]), "c": .fromDictionary([:])]),
            .fromArray([]),
        ])
    }

    static func fill(_ holder: Holder) {
        holder.any = nested
        holder.anys.append(objectsIn: scalars + [nested])
        holder.ints.insert(objectsIn: [3, -1, 2])
        holder.bools.insert(objectsIn: [true, nil])
        holder.floats.insert(objectsIn: [1.5, -2])
        holder.doubles.insert(objectsIn: [nil, 0.5])
        holder.strings.insert(objectsIn: ["b", nil, "a", "B"])
        holder.datas.insert(objectsIn: [Data([1]), Data()])
        holder.dates.insert(date)
        holder.objectIds.insert(objectId)
        holder.uuids.insert(objectsIn: [uuid, nil])
        holder.decimals.insert(objectsIn: ["1.5", 2])
        holder.sizes.insert(objectsIn: [.large, .small])
        holder.colors.insert(objectsIn: [.green, nil])
        holder.animals.insert(objectsIn: [Animal("Leo", 3), Animal("Mia", 1)])
        holder.anySet.insert(objectsIn: scalars)
        holder.intMap["one"] = 1
        holder.intMap["two"] = 2
        holder.boolMap.updateValue(nil, forKey: "unknown")
        holder.boolMap["yes"] = true
        holder.floatMap["half"] = 0.5
        holder.doubleMap["half"] = 0.5
        holder.stringMap["x"] = "y"
        holder.stringMap.updateValue(nil, forKey: "z")
        holder.dataMap["d"] = Data([1, 2])
        holder.dateMap["then"] = date
        holder.objectIdMap["id"] = objectId
        holder.uuidMap["id"] = uuid
        holder.decimalMap["pi"] = "3.14"
        holder.sizeMap["L"] = .large
        holder.colorMap.updateValue(nil, forKey: "none")
        holder.colorMap["r"] = .red
        holder.animalMap["leo"] = Animal("Leo", 3)
        holder.animalMap.updateValue(nil, forKey: "nobody")
        holder.boxMap["first"] = HeldBox(1)
        holder.boxMap["second"] = HeldBox(2)
        for (index, value) in (scalars + [nested]).enumerated() { holder.anyMap["v\(index)"] = value }
    }
}

extension AnyRealmValue {
    /// All contents of the value as text, for comparing values with different collection instances.
    var text: String {
        switch self {
        case .list(let list): "[" + list.map(\.text).joined(separator: ", ") + "]"
        case .dictionary(let map):
            "{" + map.map { "\($0.key): \($0.value.text)" }.sorted().joined(separator: ", ") + "}"
        case .object(let object): "object(\((object as? Animal)?.name ?? "?"))"
        default: "\(self)"
        }
    }
}

extension Holder {
    var text: [String] {
        var lines = ["any " + any.text, "anys " + anys.map(\.text).joined(separator: ", ")]
        func add<Element>(_ name: String, _ set: MutableSet<Element>) {
            lines.append(name + " " + set.map { "\($0._rlmDynamicValue ?? "nil")" }.sorted().joined(separator: ", "))
        }
        func add<Value>(_ name: String, _ map: Map<String, Value>) {
            lines.append(
                name + " "
                    + map.map { "\($0.key)=\($0.value._rlmDynamicValue ?? "nil")" }.sorted().joined(separator: ", "))
        }
        add("ints", ints)
        add("bools", bools)
        add("floats", floats)
        add("doubles", doubles)
        add("strings", strings)
        add("datas", datas)
        add("dates", dates)
        add("objectIds", objectIds)
        add("uuids", uuids)
        add("decimals", decimals)
        add("sizes", sizes)
        add("colors", colors)
        lines.append("animals " + animals.map(\.name).sorted().joined(separator: ", "))
        lines.append("anySet " + anySet.map(\.text).sorted().joined(separator: ", "))
        add("intMap", intMap)
        add("boolMap", boolMap)
        add("floatMap", floatMap)
        add("doubleMap", doubleMap)
        add("stringMap", stringMap)
        add("dataMap", dataMap)
        add("dateMap", dateMap)
        add("objectIdMap", objectIdMap)
        add("uuidMap", uuidMap)
        add("decimalMap", decimalMap)
        add("sizeMap", sizeMap)
        add("colorMap", colorMap)
        lines.append(
            "animalMap " + animalMap.map { "\($0.key)=\($0.value?.name ?? "nil")" }.sorted().joined(separator: ", "))
        lines.append(
            "boxMap " + boxMap.map { "\($0.key)=\($0.value?.number ?? -1)" }.sorted().joined(separator: ", "))
        lines.append("anyMap " + anyMap.map { "\($0.key)=\($0.value.text)" }.sorted().joined(separator: ", "))
        return lines
    }
}
