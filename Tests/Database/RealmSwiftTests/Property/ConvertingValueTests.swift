// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import TestTraits
import Testing

private enum RawTaste: String, PersistableEnum { case sweet, sour }
private enum RawGrade: Int, PersistableEnum { case first = 1, second }

private struct PlainWord: CustomPersistable {
    typealias PersistedType = String
    var text: String
    init(persistedValue: String) { text = persistedValue }
    var persistableValue: String { text }
}

private struct CornerValue: CustomPersistable {
    typealias PersistedType = CornerObject
    var x = 0
    init(persistedValue: CornerObject) { x = persistedValue.x }
    var persistableValue: CornerObject { CornerObject(value: ["x": x]) }
}

private final class CornerObject: TestEmbedded {
    @Persisted var x = 7
}

private struct FailableSite: FailableCustomPersistable {
    typealias PersistedType = String
    var text: String
    init?(persistedValue: String) {
        if persistedValue.isEmpty { return nil }
        text = persistedValue
    }
    var persistableValue: String { text }
}

private final class ConvertingItem: TestObject {
    @Persisted var text: String
    @Persisted var number: Int8
    @Persisted var grade: RawGrade?
    @Persisted var texts: List<String>
    @Persisted var set: MutableSet<String>
    @Persisted var map: Map<String, Int>
    @Persisted var corner: CornerValue
    @Persisted var decimal: Decimal128
    @Persisted var any: AnyRealmValue
}

private final class SitePage: TestObject {
    @Persisted var site: FailableSite
}

/// Values accepted by `init(value:)`, `create` and assignments by name.
@Suite struct ConvertingValueTests {
    private static let types: [ObjectBase.Type] = [ConvertingItem.self, CornerObject.self]

    @Test(.behaviour("S10")) func nullIsAnEmptyCollection() throws {
        let values: [String: Any] = ["texts": NSNull(), "set": NSNull(), "map": NSNull()]
        let mouth = ConvertingItem(value: values)
        #expect(mouth.texts.isEmpty && mouth.set.isEmpty && mouth.map.count == 0)
        mouth.texts.append("a")
        mouth["texts"] = nil
        #expect(mouth.texts.isEmpty)
        try withRealm(Self.types) { realm in
            try realm.write {
                let mouth = realm.create(ConvertingItem.self, value: values)
                mouth.texts.append("a")
                mouth["texts"] = nil
                #expect(mouth.texts.isEmpty)
            }
        }
    }

    @Test(.behaviour("S10")) func customTypesAreAcceptedInPlaceOfTheStoredType() throws {
        let values: [String: Any] = [
            "text": RawTaste.sour, "number": RawGrade.second,
            "texts": [RawTaste.sweet, PlainWord(persistedValue: "w")] as [Any],
            "map": ["a": RawGrade.first],
        ]
        func verify(_ mouth: ConvertingItem) {
            #expect(mouth.text == "sour" && mouth.number == 2 && Array(mouth.texts) == ["sweet", "w"])
            #expect(mouth.map["a"] == 1)
        }
        verify(ConvertingItem(value: values))
        try withRealm(Self.types) { realm in
            try realm.write {
                let mouth = realm.create(ConvertingItem.self, value: values)
                verify(mouth)
                mouth["text"] = PlainWord(persistedValue: "x")
                #expect(mouth.text == "x")
            }
        }
    }

    @Test(.behaviour("S10")) func aRawValueWithoutACase() throws {
        let mouth = ConvertingItem()
        mouth.grade = .first
        mouth["grade"] = 10
        #expect(mouth.grade == nil)
        mouth["grade"] = 2
        #expect(mouth.grade == .second)
        try withRealm(Self.types) { realm in
            try realm.write {
                let mouth = realm.create(ConvertingItem.self)
                mouth["grade"] = 10
                #expect(mouth.grade == nil && realm.objects(ConvertingItem.self).filter("grade == 10").count == 1)
                mouth["grade"] = 1
                #expect(mouth.grade == .first)
            }
        }
    }

    @Test(.behaviour("S10")) func nullForAnEmbeddedValueIsItsDefault() throws {
        #expect(ConvertingItem(value: ["corner": NSNull()] as [String: Any]).corner.x == 7)
        try withRealm(Self.types) { realm in
            try realm.write {
                #expect(realm.create(ConvertingItem.self, value: ["corner": NSNull()] as [String: Any]).corner.x == 7)
            }
        }
    }

    @Test(.behaviour("S23")) func aFailableTypeFailsAtTheRead() async {
        let result = await #expect(processExitsWith: .failure, observing: .errorText) {
            let page = SitePage()
            FileHandle.standardError.write(Data("made\n".utf8))
            _ = page.site
        }
        result.expectText("made\n")
        result.expectText(
            "Failed to default construct a FailableSite using the default value for persisted type String.")
    }

    @Test(.behaviour("T04")) func decimalsOfFoundationAreDecimals() throws {
        let number = NSDecimalNumber(string: "5.5")
        try withRealm(Self.types) { realm in
            try realm.write {
                for value in [Decimal(5.5), number] as [Any] {
                    realm.deleteAll()
                    for item in [ConvertingItem(), realm.create(ConvertingItem.self)] {
                        item["decimal"] = value
                        item["any"] = value
                        #expect(item.decimal == 5.5 && item.any == .decimal128(5.5))
                    }
                    let found = realm.objects(ConvertingItem.self).filter("decimal == %@ AND any == %@", value, value)
                    #expect(found.count == 1)
                }
            }
        }
    }
}
