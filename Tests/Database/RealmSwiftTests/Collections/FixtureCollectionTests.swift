// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmSwift

// Models for files of the original.

class FixtureSets: TestObject {
    @Persisted var int: MutableSet<Int>
    @Persisted var bool: MutableSet<Bool>
    @Persisted var float: MutableSet<Float>
    @Persisted var double: MutableSet<Double>
    @Persisted var string: MutableSet<String>
    @Persisted var data: MutableSet<Data>
    @Persisted var date: MutableSet<Date>
    @Persisted var decimal: MutableSet<Decimal128>
    @Persisted var oid: MutableSet<ObjectId>
    @Persisted var uuid: MutableSet<UUID>
    @Persisted var intNull: MutableSet<Int?>
    @Persisted var boolNull: MutableSet<Bool?>
    @Persisted var floatNull: MutableSet<Float?>
    @Persisted var doubleNull: MutableSet<Double?>
    @Persisted var stringNull: MutableSet<String?>
    @Persisted var dataNull: MutableSet<Data?>
    @Persisted var dateNull: MutableSet<Date?>
    @Persisted var decimalNull: MutableSet<Decimal128?>
    @Persisted var oidNull: MutableSet<ObjectId?>
    @Persisted var uuidNull: MutableSet<UUID?>

    override class func _realmObjectName() -> String? { "Sets" }
}

class FixtureDictionaries: TestObject {
    @Persisted var int: Map<String, Int>
    @Persisted var bool: Map<String, Bool>
    @Persisted var float: Map<String, Float>
    @Persisted var double: Map<String, Double>
    @Persisted var string: Map<String, String>
    @Persisted var data: Map<String, Data>
    @Persisted var date: Map<String, Date>
    @Persisted var decimal: Map<String, Decimal128>
    @Persisted var oid: Map<String, ObjectId>
    @Persisted var uuid: Map<String, UUID>
    @Persisted var intNull: Map<String, Int?>
    @Persisted var boolNull: Map<String, Bool?>
    @Persisted var floatNull: Map<String, Float?>
    @Persisted var doubleNull: Map<String, Double?>
    @Persisted var stringNull: Map<String, String?>
    @Persisted var dataNull: Map<String, Data?>
    @Persisted var dateNull: Map<String, Date?>
    @Persisted var decimalNull: Map<String, Decimal128?>
    @Persisted var oidNull: Map<String, ObjectId?>
    @Persisted var uuidNull: Map<String, UUID?>

    override class func _realmObjectName() -> String? { "Dictionaries" }
}

class FixtureTarget: TestObject {
    @Persisted var n: Int

    override class func _realmObjectName() -> String? { "Target" }
}

class FixtureOther: TestObject {
    @Persisted(primaryKey: true) var _id: String

    override class func _realmObjectName() -> String? { "Other" }
}

class FixtureHolder: TestObject {
    @Persisted var label: String
    @Persisted var any: AnyRealmValue
    @Persisted var list: List<AnyRealmValue>
    @Persisted var set: MutableSet<AnyRealmValue>
    @Persisted var dictionary: Map<String, AnyRealmValue>

    override class func _realmObjectName() -> String? { "Holder" }
}

class FixtureNestedTarget: TestObject {
    @Persisted var name: String

    override class func _realmObjectName() -> String? { "Target" }
}

class FixtureNested: TestObject {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var any: AnyRealmValue
    @Persisted var list: List<AnyRealmValue>
    @Persisted var dictionary: Map<String, AnyRealmValue>

    override class func _realmObjectName() -> String? { "Nested" }
}

/// Sets, dictionaries, and mixed values that the original wrote: read through models, changed, and audited.
@Suite struct FixtureCollectionTests {
    @Test func sets() throws {
        try withFixture("collections-set", [FixtureSets.self]) { realm, rows in
            let objects = realm.objects(FixtureSets.self)
            verify(objects, rows["class_Sets"])
            try realm.write {
                for object in objects {
                    object.int.insert(42)
                    object.int.remove(-1)
                    object.stringNull.insert(nil)
                    object.double.removeAll()
                    object.dataNull = object.dataNull
                    #expect(object.int.contains(42) && object.stringNull.contains(nil) && object.double.isEmpty)
                    #expect(object.string.allSatisfy(object.string.contains))
                }
            }
        }
    }

    @Test func dictionaries() throws {
        try withFixture("collections-dictionary", [FixtureDictionaries.self]) { realm, rows in
            let objects = realm.objects(FixtureDictionaries.self)
            verify(objects, rows["class_Dictionaries"])
            try realm.write {
                for object in objects {
                    let count = object.intNull.count
                    object.intNull["new"] = 1
                    object.intNull.updateValue(nil, forKey: "new")
                    object.string.removeAll()
                    if let key = object.double.keys.first { object.double[key] = nil }
                    #expect(object.intNull.count == count + 1 && object.intNull["new"] == .some(nil))
                    #expect(object.data.keys.allSatisfy { object.data[$0] != nil })
                }
            }
        }
    }

    @Test func mixedValues() throws {
        let types: [ObjectBase.Type] = [FixtureHolder.self, FixtureTarget.self, FixtureOther.self]
        try withFixture("mixed", types) { realm, rows in
            let objects = realm.objects(FixtureHolder.self)
            verify(objects, rows["class_Holder"])
            let target = try #require(realm.objects(FixtureTarget.self).first)
            try realm.write {
                for object in objects {
                    object.any = .fromArray([object.any, .object(target)])
                    object.list.append(.fromDictionary(["t": .object(target)]))
                    object.set.insert(.object(target))
                    object.dictionary["t"] = .object(target)
                }
                realm.delete(target)
                // If the value was the target already, both elements are removed.
                #expect(objects.allSatisfy { 0...1 ~= $0.any.listValue?.count ?? -1 })
                #expect(objects.allSatisfy { $0.dictionary["t"] == AnyRealmValue.none })
            }
        }
    }

    @Test(arguments: ["nested", "nested-short-keys"]) func nestedCollections(_ name: String) throws {
        try withFixture(name, [FixtureNested.self, FixtureNestedTarget.self]) { realm, rows in
            let objects = realm.objects(FixtureNested.self)
            verify(objects, rows["class_Nested"])
            try realm.write {
                for object in objects {
                    object.any.listValue?.append(.fromArray([.int(1)]))
                    object.any.dictionaryValue?["new"] = .fromDictionary([:])
                    object.list.insert(.fromArray([.fromArray([])]), at: 0)
                    if object.list.count > 1 { object.list.move(from: 0, to: object.list.count - 1) }
                    object.dictionary["copy"] = object.any
                    #expect(object.dictionary["copy"]?.text == object.any.text)
                }
            }
        }
    }

    private func withFixture(
        _ name: String, _ types: [ObjectBase.Type], _ body: (Realm, [String: [[Any]]]) throws -> Void
    ) throws {
        let path = Fixtures.path("v24/\(name).realm")
        let file = try TemporaryFolderURL()
        try FileManager.default.copyItem(atPath: path, toPath: file.url.path)
        let json = try Data(contentsOf: URL(fileURLWithPath: path.dropLast(6) + ".json"))
        let dump = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        var rows: [String: [[Any]]] = [:]
        for table in dump["tables"] as? [[String: Any]] ?? [] {
            let objects = table["objects"] as? [[String: Any]] ?? []
            rows[table["name"] as? String ?? ""] = objects.map { $0["v"] as? [Any] ?? [] }
        }
        try file.open(types, additive: true) { try body($0, rows) }
    }

    private func verify<Model: Object>(_ objects: Results<Model>, _ rows: [[Any]]?) {
        #expect(objects.count == rows?.count && objects.count > 0)
        for (object, row) in zip(objects, rows ?? []) {
            for (property, value) in zip(object.objectSchema.info.properties, row) {
                let found = FixtureValue.text(object.dynamicValue(of: property), property.shape.type)
                let expected = FixtureValue.text(dump: value, property.shape)
                #expect(found == expected, "\(property.name): \(FixtureValue.difference(found, expected))")
            }
        }
    }
}

private enum FixtureValue {
    static func text(_ value: Any?, _ type: PropertyType) -> String {
        switch value {
        case let value as AnyRealmValue: return text(value.isNone ? nil : value._rlmDynamicValue, .any)
        case let map as any RealmKeyedCollection: return entries(map, type)
        case let list as any RealmCollection: return "[" + elements(list, type).joined(separator: ", ") + "]"
        case let date as Date: return "date \(date.timeIntervalSinceReferenceDate)"
        case let object as ObjectBase:
            return "link \(Swift.type(of: object).tableClassName) \(object._rlmRow.key.rawValue)"
        case let value as Data: return "data " + value.map { String($0, radix: 16) }.joined(separator: ",")
        case let value as String: return "String \(readable(value))"
        case let value?: return "\(Swift.type(of: value)) \(value)"
        case nil: return "nil"
        }
    }

    static func difference(_ first: String, _ second: String) -> String {
        let place = zip(first.utf8, second.utf8).prefix { $0 == $1 }.count
        let texts = [first, second].map {
            String(decoding: $0.utf8.dropFirst(Swift.max(place - 20, 0)).prefix(80), as: UTF8.self)
        }
        return texts.map { $0.debugDescription }.joined(separator: " instead of ")
    }

    private static func elements(_ list: some RealmCollection, _ type: PropertyType) -> [String] {
        list.map { text(($0 as any _ObjcBridgeable)._rlmDynamicValue, type) }
    }

    private static func entries(_ map: some RealmKeyedCollection, _ type: PropertyType) -> String {
        let entries = zip(map.keys, map.values).map { "\(readable($0._mapKey)): " + text($1._rlmDynamicValue, type) }
        return "{" + entries.joined(separator: ", ") + "}"
    }

    /// Foundation's JSON reader drops byte order marks.
    private static func readable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\u{FEFF}" }))
    }

    static func text(dump value: Any, _ shape: _PropertyShape) -> String {
        switch shape.collection {
        case .none: return text(dump: value, shape.type)
        case .list, .set:
            return "[" + (value as? [Any] ?? []).map { text(dump: $0, shape.type) }.joined(separator: ", ") + "]"
        case .dictionary: return entries(dump: value, shape.type)
        }
    }

    private static func entries(dump value: Any, _ type: PropertyType) -> String {
        let entries = (value as? [[Any]] ?? []).map {
            "\(readable($0[0] as? String ?? "")): " + text(dump: $0[1], type)
        }
        return "{" + entries.joined(separator: ", ") + "}"
    }

    private static func text(dump value: Any, _ type: PropertyType) -> String {
        if value is NSNull { return "nil" }
        let parts = value as? [Any] ?? []
        switch type {
        case .any: return text(mixed: value as? [String: Any] ?? [:])
        case .int: return "Int \(value as? Int ?? 0)"
        case .bool: return "Bool \(value as? Bool ?? false)"
        case .string: return "String \(readable(value as? String ?? ""))"
        case .float: return "Float \(Float(bitPattern: UInt32(parts[0] as? String ?? "", radix: 16) ?? 0))"
        case .double: return "Double \(Double(bitPattern: UInt64(parts[0] as? String ?? "", radix: 16) ?? 0))"
        case .data: return "data " + bytes(value).map { String($0, radix: 16) }.joined(separator: ",")
        case .date:
            let timestamp = Timestamp(seconds: Int64(parts[0] as? Int ?? 0), nanoseconds: Int32(parts[1] as? Int ?? 0))
            return "date \(Date(timestamp).timeIntervalSinceReferenceDate)"
        case .decimal128:
            let words = parts.dropFirst().map { UInt64($0 as? String ?? "", radix: 16) ?? 0 }
            return "Decimal128 \(Decimal128(bits: DecimalBits(low: words[0], high: words[1])))"
        case .objectId: return "ObjectId \(value)"
        case .UUID: return "UUID \(String(describing: value).uppercased())"
        case .object, .linkingObjects: return "link \(parts[0]) \(parts[1])"
        }
    }

    private static func text(mixed value: [String: Any]) -> String {
        guard let (name, content) = value.first else { return "nil" }
        switch name {
        case "list": return "[" + (content as? [Any] ?? []).map { text(dump: $0, .any) }.joined(separator: ", ") + "]"
        case "dictionary": return entries(dump: content, .any)
        case "link":
            let parts = content as? [Any] ?? []
            return "link \(String(describing: parts[0]).dropFirst("class_".count)) \(parts[1])"
        default: return types[name].map { text(dump: content, $0) } ?? "unknown \(name)"
        }
    }

    private static let types: [String: PropertyType] = [
        "int": .int, "bool": .bool, "float": .float, "double": .double, "string": .string, "binary": .data,
        "data": .data, "timestamp": .date, "date": .date, "decimal": .decimal128, "objectId": .objectId,
        "oid": .objectId,
        "uuid": .UUID,
    ]

    private static func bytes(_ value: Any) -> [UInt8] {
        let digits = Array((value as? String ?? "").utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }
}

extension AnyRealmValue {
    fileprivate var isNone: Bool { if case .none = self { true } else { false } }
}
