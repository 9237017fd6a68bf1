// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

final class Kennel: TestObject {
    @Persisted(primaryKey: true) var name: String
    @Persisted var pups: List<Pup>
    @Persisted var favourites: MutableSet<Pup>
    @Persisted var byName: Map<String, Pup?>
    @Persisted var sizes: Map<String, Int>
    @Persisted var best: Pup?
    @Persisted var sign: KennelSign?
    @Persisted var signs: List<KennelSign>
    @Persisted var anything: AnyRealmValue
    @Persisted var opened: Date?
}

final class Pup: TestObject {
    @Persisted var name: String
    @Persisted var age: Int?
    @Persisted(originProperty: "pups") var kennels: LinkingObjects<Kennel>
}

final class KennelSign: TestEmbedded {
    @Persisted var text: String
}

/// Objects of tables without model classes in the Realm.
@Suite struct DynamicObjectTests {
    private static let types: [ObjectBase.Type] = [Kennel.self, Pup.self, KennelSign.self]

    private func withStrangeTables(_ body: (Realm) throws -> Void) throws {
        let file = try MigratingFile()
        try file.open(file.configuration(Self.types)) { realm in
            try realm.write {
                let kennel = realm.create(Kennel.self, value: ["name": "north"])
                for (index, name) in ["Rex", "Max", "Bob"].enumerated() {
                    let pup = realm.create(Pup.self, value: ["name": name, "age": index])
                    kennel.pups.append(pup)
                    kennel.byName[name] = pup
                }
                kennel.favourites.insert(kennel.pups[1])
                kennel.best = kennel.pups[0]
                kennel.sign = KennelSign(value: ["text": "closed"])
                kennel.signs.append(KennelSign(value: ["text": "first"]))
                kennel.anything = .object(kennel.pups[2])
                kennel.sizes["small"] = 3
            }
        }
        try file.open(file.configuration([Home0.self]), body)
    }

    @Test func everyTableCanBeRead() throws {
        try withStrangeTables { realm in
            let kennel = try #require(realm.dynamicObject(ofType: "Kennel", forPrimaryKey: "north"))
            #expect(realm.dynamicObject(ofType: "Kennel", forPrimaryKey: "south") == nil)
            let pups = try #require(kennel.pups as? List<DynamicObject>)
            #expect(pups.map { $0.name as? String } == ["Rex", "Max", "Bob"])
            #expect(pups[1].age as? Int == 1)
            #expect((kennel.favourites as? MutableSet<DynamicObject>)?.count == 1)
            #expect((kennel.byName as? Map<String, DynamicObject?>)?["Bob"]??.name as? String == "Bob")
            #expect((kennel.sizes as? Map<String, Int>)?["small"] == 3)
            #expect((kennel.best as? DynamicObject)?.name as? String == "Rex")
            #expect((kennel.sign as? DynamicObject)?.text as? String == "closed")
            #expect((kennel.anything as? DynamicObject)?.name as? String == "Bob")
            #expect(kennel.opened == nil)
            #expect(kennel.objectSchema.className == "Kennel")
            #expect(kennel.objectSchema.primaryKeyProperty?.name == "name")
            #expect(kennel.objectSchema["pups"]?.objectClassName == "Pup")
            #expect(kennel.description.contains("name = north;"))
            #expect(kennel.dynamicList("pups").count == 3)
            #expect(kennel.dynamicMutableSet("favourites").count == 1)
            #expect((kennel.dynamicMap("byName") as Map<String, DynamicObject?>).count == 3)
        }
    }

    @Test func everyTableCanBeQueried() throws {
        try withStrangeTables { realm in
            let pups = realm.dynamicObjects("Pup")
            #expect(pups.count == 3)
            #expect(pups.filter("age > 0").sorted(byKeyPath: "name").map { $0.name as? String } == ["Bob", "Max"])
            #expect(pups.sum(ofProperty: "age") == 3 && pups.max(ofProperty: "age") == 2)
            #expect(realm.dynamicObjects("Kennel").filter("ANY pups.name == 'Max'").count == 1)
            let rex = try #require(pups.first)
            #expect(realm.dynamicObjects("Kennel").filter("best == %@", rex).count == 1)
            #expect(pups.index(of: rex) == 0)
        }
    }

    @Test func everyTableCanBeChanged() throws {
        try withStrangeTables { realm in
            let kennel = try #require(realm.dynamicObjects("Kennel").first)
            try realm.write {
                kennel.opened = Date(timeIntervalSince1970: 5)
                kennel.best = realm.dynamicObjects("Pup")[2]
                kennel.pups = [["name": "Tim", "age": 9], realm.dynamicObjects("Pup")[0]] as [Any]
                kennel.sign = ["text": "open"]
                kennel.signs = [["text": "a"], ["text": "b"]]
                kennel.byName = ["x": NSNull(), "y": ["name": "Yan"]]
                kennel.anything = ["a", 5] as [Any]
                kennel.sizes = ["large": 8]
            }
            #expect(kennel.opened as? Date == Date(timeIntervalSince1970: 5))
            #expect((kennel.best as? DynamicObject)?.name as? String == "Bob")
            #expect(kennel.dynamicList("pups").map { $0.name as? String } == ["Tim", "Rex"])
            #expect((kennel.sign as? DynamicObject)?.text as? String == "open")
            #expect(kennel.dynamicList("signs").map { $0.text as? String } == ["a", "b"])
            let map: Map<String, DynamicObject?> = kennel.dynamicMap("byName")
            #expect(map.count == 2 && map["y"]??.name as? String == "Yan")
            #expect((kennel.anything as? List<AnyRealmValue>).map(Array.init) == [.string("a"), .int(5)])
            #expect((kennel.sizes as? Map<String, Int>)?["large"] == 8)
            try realm.write {
                let list = kennel.dynamicList("pups")
                list.remove(at: 0)
                list.append(realm.dynamicCreate("Pup", value: ["name": "Ned"]))
                realm.delete(realm.dynamicObjects("Pup").filter("name == 'Tim'"))
            }
            #expect(kennel.dynamicList("pups").map { $0.name as? String } == ["Rex", "Ned"])
            #expect(realm.dynamicObjects("Pup").filter("name == 'Tim'").isEmpty)
        }
    }

    @Test func objectsAreMadeAndUpdatedByName() throws {
        try withStrangeTables { realm in
            try realm.write {
                realm.dynamicCreate(
                    "Kennel", value: ["name": "south", "best": ["name": "Sam"], "sign": ["text": "s"]])
                realm.dynamicCreate("Kennel", value: ["name": "north", "sizes": ["tiny": 1]], update: .modified)
            }
            #expect(realm.dynamicObjects("Kennel").count == 2)
            let south = realm.dynamicObject(ofType: "Kennel", forPrimaryKey: "south")
            #expect((south?.best as? DynamicObject)?.name as? String == "Sam")
            #expect((south?.sign as? DynamicObject)?.text as? String == "s")
            let north = realm.dynamicObject(ofType: "Kennel", forPrimaryKey: "north")
            #expect(north?.dynamicList("pups").count == 3)
            #expect((north?.sizes as? Map<String, Int>)?["tiny"] == 1)
        }
    }

    @Test func rowsAreTheSameHoweverTheyAreSeen() throws {
        try withRealm(Self.types) { realm in
            try realm.write {
                let kennel = realm.create(Kennel.self, value: ["name": "north", "pups": [["name": "Rex"]]])
                let dynamic = try #require(realm.dynamicObjects("Kennel").first)
                #expect(dynamic == realm.dynamicObjects("Kennel").first && dynamic.isSameObject(as: kennel))
                #expect(dynamic.dynamicList("pups")[0].isSameObject(as: kennel.pups[0]))
                #expect(kennel.dynamicList("pups").first?.name as? String == "Rex")
                dynamic.best = kennel.pups[0]
                #expect(kennel.best?.name == "Rex")
                kennel["best"] = dynamic.dynamicList("pups")[0]
                #expect(kennel.best?.isSameObject(as: kennel.pups[0]) == true)
                #expect(realm.objects(Pup.self).count == 1)
                realm.delete(dynamic)
                #expect(kennel.isInvalidated && dynamic.isInvalidated)
            }
        }
    }

    @Test func unmanagedObjectsHaveDynamicViewsToo() throws {
        let kennel = Kennel(value: ["name": "north", "pups": [["name": "Rex"]], "byName": ["x": ["name": "Max"]]])
        #expect(kennel.dynamicList("pups").first?.name as? String == "Rex")
        #expect(kennel.dynamicMutableSet("favourites").isEmpty)
        let map: Map<String, DynamicObject?> = kennel.dynamicMap("byName")
        #expect(map["x"]??.name as? String == "Max")
        kennel.dynamicList("pups")[0].name = "Tim"
        #expect(kennel.pups[0].name == "Tim")
        let view = DynamicObject.view(of: kennel)
        #expect(view.objectSchema.className == "Kennel" && view.realm == nil && !view.isInvalidated)
        try withRealm(Self.types) { realm in
            try realm.write { realm.add(view, update: .modified) }
            #expect(view.realm == realm && view.isSameObject(as: kennel))
            #expect(kennel.realm == realm && realm.objects(Kennel.self).first?.pups.first?.name == "Tim")
        }
    }

    @Test func objectsAreCopiedBetweenRealms() throws {
        try withStrangeTables { source in
            let north = try #require(source.dynamicObjects("Kennel").first)
            try withRealm(Self.types) { target in
                try target.write { target.dynamicCreate("Kennel", value: north) }
                let copy = try #require(target.objects(Kennel.self).first)
                #expect(copy.pups.map(\.name) == ["Rex", "Max", "Bob"] && copy.sign?.text == "closed")
                #expect(copy.best?.isSameObject(as: copy.pups[0]) == true)
                #expect(copy.anything.object(Pup.self)?.isSameObject(as: copy.pups[2]) == true)
            }
            try withStrangeTables { target in
                try target.write { target.dynamicCreate("Kennel", value: north, update: .all) }
                #expect(target.dynamicObjects("Kennel").count == 1)
                #expect(target.dynamicObjects("Pup").count == 6)
                let copy = try #require(target.dynamicObjects("Kennel").first)
                #expect(copy.dynamicList("signs").map { $0.text as? String } == ["first"])
            }
        }
    }

    @Test func valuesOfEveryTypeAreTakenBack() throws {
        try withRealm { realm in
            try realm.write {
                let typed = AllTypes(value: [
                    "int": -5, "int8": 3, "bool": true, "float": 1.5, "double": -2.5, "string": "ä", "data": Data([1]),
                    "date": Date(timeIntervalSince1970: 1), "decimal": Decimal128(7), "size": 7, "color": "green",
                    "optInt": 4, "optString": "", "optDate": Date(timeIntervalSince1970: 2), "optUuid": UUID(),
                    "optColor": "red", "link": ["name": "Rex"], "ints": [3, 1], "bools": [true, NSNull()],
                    "strings": ["a", NSNull()], "datas": [Data([2])], "dates": [Date(timeIntervalSince1970: 3)],
                    "uuids": [UUID(), NSNull()], "decimals": [Decimal128(1)], "sizes": [1, 7],
                    "colors": ["red", NSNull()], "links": [["name": "Max"]],
                ])
                realm.add(typed)
                let source = DynamicObject.view(of: typed)
                let copy = realm.dynamicCreate("AllTypes")
                for property in source.objectSchema.properties { copy[property.name] = source[property.name] }
                let lines = source.description.split(separator: "\n").filter { !$0.contains("<0x") }
                #expect(lines == copy.description.split(separator: "\n").filter { !$0.contains("<0x") })
                let other = try #require(copy.object(of: AllTypes.self))
                #expect(other.int8 == 3 && other.size == .large && other.colors[0] == .red && other.colors[1] == nil)
                #expect(other.optUuid == typed.optUuid && Array(other.uuids) == Array(typed.uuids))
                #expect(other.links[0].isSameObject(as: typed.links[0]) && other.sizes.count == 2)
            }
        }
    }

    @Test func everyFixtureCanBeRead() throws {
        var objects = 0
        for name in Fixtures.names(in: "v24") {
            let file = try MigratingFile()
            try FileManager.default.copyItem(atPath: Fixtures.path("v24/\(name).realm"), toPath: file.url.path)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.url.path)
            var configuration = file.configuration([Home0.self])
            configuration.schemaRules.mode = .additive
            guard let realm = try? Realm(configuration: configuration) else { continue }
            let schema = try Schema(storedIn: try realm.instance.requireSource())
            for info in schema.objectSchema where !info.isEmbedded && !info.isAsymmetric {
                for object in realm.dynamicObjects(info.className).prefix(100) {
                    for property in info.properties { _ = object[property.name] }
                    #expect(object.description.hasPrefix("\(info.className) {"))
                    objects += 1
                }
            }
            // Throws if a read met damage.
            try realm.write {}
        }
        #expect(objects > 300)
    }

    @Test func mistakesEndTheProcess() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite([Kennel.self, Pup.self, KennelSign.self]) { realm in
                realm.dynamicCreate("Kennel", value: ["name": "a"]).name = "b"
            }
        }.expectText("Primary key can't be changed to 'b' after an object is inserted.")
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite([Kennel.self, Pup.self, KennelSign.self]) { realm in
                _ = realm.dynamicCreate("Pup").dynamicList("nothing")
            }
        }.expectText("Invalid property name 'nothing' for class 'Pup'.")
    }
}
