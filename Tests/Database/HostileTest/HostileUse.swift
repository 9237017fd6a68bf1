// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport

/// Uses a file like an app: audits it, reads everything, changes something of every kind, commits.
///
/// Damage may only cause errors. A trap or an exception ends the process, which the driver detects; any other
/// unacceptable result is thrown here.
struct HostileUse {
    let url: URL
    let key: Data?
    /// The classes of a file without models. Nil for one of ours.
    let isTyped: Bool

    func run(_ number: UInt64) throws {
        let isClean = check()
        if number % 2 == 1 { read() }
        var generator = SeededGenerator(seed: number)
        write(&generator)
        if isClean, !check() { throw Failure("a clean file is not clean any more") }
    }

    /// Strict: a remnant that the lenient audit accepts becomes damage later. For instance, a backlink of a removed
    /// object passes to the next object with its key.
    private func check() -> Bool {
        (try? Realm.check(fileAt: url, encryptionKey: key, isStrict: true).isClean) == true
    }

    private func configuration(readOnly: Bool) -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: url, encryptionKey: key, readOnly: readOnly, objectTypes: isTyped ? hostileTypes : [])
        configuration.access.tracksReads = false
        return configuration
    }

    @inline(never) private func read() {
        guard let realm = try? Realm(configuration: configuration(readOnly: true)) else { return }
        if isTyped { readThings(realm) } else { readDynamic(realm) }
    }

    @inline(never) private func write(_ generator: inout SeededGenerator) {
        guard let realm = try? Realm(configuration: configuration(readOnly: false)) else { return }
        if isTyped {
            if generator.chance(30) { readThings(realm) }
            try? realm.write { change(realm, &generator) }
            if generator.chance(30) { readThings(realm) }
            if generator.chance(10) {
                try? realm.write { realm.delete(realm.objects(Thing.self).where { $0.number > 4 }) }
            }
            if generator.chance(10) { try? realm.write { realm.deleteAll() } }
        } else {
            try? realm.write { changeDynamic(realm) }
        }
    }

    // MARK: Reading

    /// The maximum number of elements read from a collection. Damage may make it as long as the file allows.
    private static let limit = 1000

    private func visit(_ any: AnyRealmValue, _ depth: Int = 0) {
        guard depth < 110 else { return }
        switch any {
        case .list(let list): for element in list.prefix(HostileUse.limit) { visit(element, depth + 1) }
        case .dictionary(let map): for entry in map.prefix(HostileUse.limit) { visit(entry.value, depth + 1) }
        case .object(let object): use(object.isInvalidated)
        default: use(any)
        }
    }

    private func readThings(_ realm: Realm) {
        let things = realm.objects(Thing.self)
        for thing in things.prefix(HostileUse.limit) { read(thing) }
        for label in realm.objects(Label.self).prefix(HostileUse.limit) {
            use((label.name, label.value, label.things.count))
            visit(label.any)
        }
        use(things.where { $0.number == 3 || $0.text == "beta" || $0.maybeText == nil }.count)
        use(things.where { $0.number > 3 && $0.text.contains("a") }.count)
        for text in HostileUse.predicates {
            // A read-only file may lack the index that TEXT needs, which ends the process as documented, damaged or
            // not.
            if realm.configuration.readOnly, text.contains("TEXT") { continue }
            use(things.filter(text).count)
        }
        for name in ["text", "any", "date", "link.double"] {
            for thing in things.sorted(byKeyPath: name).prefix(20) { use(thing.id) }
        }
        use(things.distinct(by: ["number", "text"]).count)
        use((things.max(ofProperty: "number") as Int?, things.sum(ofProperty: "number") as Int))
        use(things.average(ofProperty: "double") as Double?)
        for id in [0, 1, 2, 40] { use(realm.object(ofType: Thing.self, forPrimaryKey: id)?.number) }
        use(realm.object(ofType: Label.self, forPrimaryKey: "label 3")?.value)
        use(Array(things).count)
    }

    private static let predicates = [
        "ANY links.number > 2 AND nested != nil", "words TEXT 'quick fox'", "ANY texts BEGINSWITH[c] 'A'",
        "ANY anys == 3 OR any == 'beta'", "numberMap['k3'] > 2 OR ANY labelMap.value > 2",
        "numbers.@sum > 10 OR SUBQUERY(links, $x, $x.number > 2).@count > 0",
        "part.screw.length > 1 OR linkedBy.@count > 1 OR link.link.number == 2",
    ]

    private func read(_ thing: Thing) {
        let limit = HostileUse.limit
        use((thing.id, thing.number, thing.small, thing.maybe, thing.flag, thing.float, thing.double, thing.text))
        use((thing.maybeText, thing.words, thing.data, thing.date, thing.objectId, thing.uuid, thing.decimal))
        use((thing.kind, thing.link?.id, thing.label?.value, thing.part?.number, thing.part?.screw?.text))
        visit(thing.any)
        visit(thing.nested)
        for number in thing.numbers.prefix(limit) { use(number) }
        for text in thing.texts.prefix(limit) { use(text) }
        for date in thing.dates.prefix(limit) { use(date) }
        for decimal in thing.decimals.prefix(limit) { use(decimal) }
        for any in thing.anys.prefix(limit) { visit(any) }
        for link in thing.links.prefix(limit) { use(link.id) }
        for part in thing.parts.prefix(limit) {
            use((part.number, part.screws.count, part.screw?.text, part.label?.value))
        }
        for number in thing.numberSet.prefix(limit) { use(number) }
        for text in thing.textSet.prefix(limit) { use(text) }
        for any in thing.anySet.prefix(limit) { visit(any) }
        for label in thing.labelSet.prefix(limit) { use(label.value) }
        for entry in thing.numberMap.prefix(limit) { use(entry.value) }
        for entry in thing.textMap.prefix(limit) { use(entry.value) }
        for entry in thing.anyMap.prefix(limit) { visit(entry.value) }
        for entry in thing.labelMap.prefix(limit) { use(entry.value?.value) }
        for entry in thing.partMap.prefix(limit) { use(entry.value?.number) }
        for other in thing.linkedBy.prefix(limit) { use(other.id) }
        for other in thing.listedBy.prefix(limit) { use(other.id) }
        for index in 0..<min(thing.linkedBy.count, 3) { use(thing.linkedBy[index].id) }
        for index in 0..<min(thing.links.count, 3) { use(thing.links[index].id) }
        for index in 0..<min(thing.texts.count, 3) { use(thing.texts[index]) }
        use((thing.numbers.sum(), thing.numbers.max(), thing.numbers.average() as Double?, thing.texts.sorted().first))
        use((thing.textSet.contains("beta"), thing.numberSet.contains(3), thing.numberMap["k3"], thing.numberMap.sum()))
        use((thing.texts.distinct().count, thing.links.where { $0.number > 2 }.count, Array(thing.texts).count))
        use((thing.numbers.map { $0 }.count, thing.links.sorted(byKeyPath: "text").first?.id))
    }

    private func readDynamic(_ realm: Realm) {
        for schema in realm.schema.objectSchema where !schema.isEmbedded {
            let objects = realm.dynamicObjects(schema.className)
            for object in objects.prefix(40) {
                for property in schema.properties {
                    use(object[property.name].map { String(describing: $0).utf8.count })
                }
            }
            use(objects.count)
            let scalars = schema.properties.filter { property in
                !property.isArray && !property.isMap && !property.isSet && property.type != .object
                    && property.type != .linkingObjects
            }
            for property in scalars { use(objects.sorted(byKeyPath: property.name).first?.isInvalidated) }
        }
    }

    // MARK: Changing

    private func change(_ realm: Realm, _ generator: inout SeededGenerator) {
        let start = generator.below(8)
        for (index, thing) in Array(realm.objects(Thing.self).prefix(40)).enumerated() where !thing.isInvalidated {
            change(thing, (index + start) % 8, realm)
        }
        realm.create(
            Thing.self, value: ["id": 100_000, "text": "beta", "numbers": [1, 2], "parts": [["number": 3]]],
            update: .modified)
        realm.create(Label.self, value: ["name": "label 3", "value": 33], update: .modified)
        realm.create(Label.self, value: ["name": "fresh", "value": 33], update: .modified)
        realm.add(Thing(value: ["id": 100_001, "label": ["name": "new"]]), update: .all)
    }

    private func change(_ thing: Thing, _ kind: Int, _ realm: Realm) {
        switch kind {
        case 0:
            (thing.text, thing.number, thing.any, thing.maybeText) = ("changed", 7, .string("new"), nil)
        case 1:
            thing.numbers.append(3)
            thing.texts.insert("first", at: 0)
            thing.anys.append(.string("last"))
            thing.parts.append(Part())
            if thing.numbers.count > 2 { thing.numbers.remove(at: 1) }
        case 2:
            thing.numberSet.insert(4444)
            thing.textSet.insert("new")
            thing.numberMap["new"] = 4
            thing.anyMap["new"] = .string("x")
            thing.textMap["k3"] = "v"
            thing.labelMap["k1"] = realm.objects(Label.self).first
        case 3:
            thing.link = realm.objects(Thing.self).last
            thing.label = realm.objects(Label.self).first
            if let other = realm.objects(Thing.self).first { thing.links.append(other) }
        case 4:
            thing.nested = .fromArray([.int(3), .fromDictionary(["q": .string("w")])])
            (thing.words, thing.data, thing.date) = ("slow red dog", Data(repeating: 3, count: 300), Date())
        case 5:
            if !thing.links.isEmpty { thing.links.removeLast() }
            if !thing.anys.isEmpty { thing.anys.remove(at: 0) }
            thing.labelSet.removeAll()
            thing.part = nil
        case 6: realm.delete(thing)
        default:
            (thing.uuid, thing.decimal) = (UUID(), Decimal128(value: 12))
            thing.partMap.removeAll()
            thing.textSet.removeAll()
            thing.parts.removeAll()
        }
    }

    private func changeDynamic(_ realm: Realm) {
        for schema in realm.schema.objectSchema where !schema.isEmbedded {
            for (index, object) in Array(realm.dynamicObjects(schema.className).prefix(6)).enumerated() {
                if index % 3 == 2 {
                    realm.delete(object)
                    continue
                }
                for property in schema.properties where !property.isArray && !property.isMap && !property.isSet {
                    if property.name != schema.primaryKeyProperty?.name { assign(property, of: object) }
                }
            }
        }
    }

    private func assign(_ property: Property, of object: DynamicObject) {
        switch property.type {
        case .int: object[property.name] = 123
        case .string: object[property.name] = "changed"
        case .bool: object[property.name] = true
        case .double: object[property.name] = 1.5
        case .data: object[property.name] = Data([1, 2, 3])
        case .date: object[property.name] = Date()
        default: break
        }
    }
}

/// Keeps the compiler from removing a read.
@inline(never) @_optimize(none) private func use<Value>(_ value: Value) {}
