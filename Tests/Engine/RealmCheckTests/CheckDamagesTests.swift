// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCheck
import RealmTestSupport
import Testing

/// A contradiction inserted into a copy of a fixture, and the rule that must report it.
struct FileDamage: CustomTestStringConvertible, Sendable {
    let fixture: String
    let what: String
    let rule: String
    let apply: @Sendable (inout FileEditor) -> Void

    init(_ fixture: String, _ what: String, _ rule: String, _ apply: @escaping @Sendable (inout FileEditor) -> Void) {
        self.fixture = fixture
        self.what = what
        self.rule = rule
        self.apply = apply
    }

    var testDescription: String { "\(fixture): \(what)" }
}

@Suite struct CheckDamagesTests {
    @Test(
        arguments: FileDamage.container + FileDamage.tables + FileDamage.clusters + FileDamage.values
            + FileDamage.collections + FileDamage.links + FileDamage.indexes)
    func everyDamageIsNamed(_ damage: FileDamage) throws {
        var file = try FileEditor(damage.fixture)
        let before = file.bytes
        damage.apply(&file)
        #expect(file.bytes != before, "the damage changed nothing")
        let report = FileChecker.check(bytes: file.bytes, options: .init(strict: true))
        #expect(!report.isClean)
        if let unreadable = report.unreadable {
            #expect(unreadable.contains(damage.rule))
        } else {
            #expect(
                report.violations.contains { $0.rule == damage.rule },
                "found \(report.violations.prefix(4).map(\.description))")
        }
    }
}

extension FileDamage {
    static let container: [FileDamage] = [
        FileDamage("in-schema", "a logical size beyond the end", "1:5.4 R17 C7") { file in
            file.set(file.top, 2, file.element(file.top, 2) + 16)
        },
        FileDamage("in-schema", "a logical size 8 bytes short", "1:6.1 C6") { file in
            file.set(file.top, 2, file.element(file.top, 2) - 16)
        },
        FileDamage("group-write", "a footer without its magic", "1:1.2 R4") { file in
            file.bytes[file.bytes.count - 1] ^= 1
        },
        FileDamage("group-write", "a second top ref in streaming form", "1:1.2") { file in file.bytes[8] = 24 },
        FileDamage("in-schema", "a top ref that is no multiple of 8", "1:1.4 R2") { file in
            file.bytes[8 * Int(file.bytes[23] & 1)] += 4
        },
        FileDamage("in-schema", "format 19", "unsupported format 19") { file in
            file.bytes[20 + Int(file.bytes[23] & 1)] = 19
        },
        FileDamage("in-schema", "a top array of 8 slots", "1:5.2 R12") { file in file.bytes[file.top + 7] = 8 },
        FileDamage("in-schema", "a free block that overlaps the node before it", "1:6.1 W1 C6 M44") { file in
            let positions = file.element(file.top, 3)
            file.set(positions, 0, file.element(positions, 0) - 8)
        },
        FileDamage("in-schema", "a free block that is too short", "1:0.3 C5 C6 M44") { file in
            let lengths = file.element(file.top, 4)
            let long = file.elements(lengths).firstIndex { $0 > 8 }!
            file.set(lengths, long, file.element(lengths, long) - 8)
        },
        FileDamage("in-schema", "free blocks out of order", "1:6.1 C6") { file in
            file.swap(file.element(file.top, 3), 0, 1)
        },
        FileDamage("history", "a free block of a later version", "1:6.1 C5 C6") { file in
            let versions = file.element(file.top, 5)
            let place = file.elements(versions).firstIndex { $0 != 0 }!
            file.set(versions, place, file.element(file.top, 6) >> 1 + 1)
        },
        FileDamage("in-schema", "free lists of unequal length", "1:6.1 C6") { file in
            file.bytes[file.element(file.top, 4) + 7] -= 1
        },
        FileDamage("in-schema", "width type 3", "1:2.2 R8") { file in
            file.bytes[file.element(file.table("class_Dog"), 0) + 4] |= 0x18
        },
        FileDamage("in-schema", "a node with two parents", "1:2.7 W6") { file in
            file.set(file.table("class_Dog"), 7, file.element(file.table("class_Dog"), 8))
        },
        FileDamage("in-schema", "a ref to nowhere", "1:2.1 R23") { file in
            file.set(file.table("class_Dog"), 7, file.element(file.table("class_Dog"), 7) + 4)
        },
        FileDamage("in-schema", "history type 7", "1:7.1") { file in file.set(file.top, 7, 15) },
        FileDamage("history-held", "more changesets than versions", "1:7.2 C8") { file in
            file.set(file.top, 6, 2 * 300 + 1)
        },
        FileDamage("history-held", "an unknown opcode in a changeset", "1:7.4") { file in
            let blob = file.lastChangeset
            file.bytes[blob + 8] = 99
        },
        FileDamage("history-held", "a changeset that ends in a number", "1:7.4") { file in
            let blob = file.lastChangeset
            file.bytes[blob + 7 + file.count(blob)] |= 0x80
        },
        FileDamage("evacuating", "a negative backoff", "1:6.8") { file in
            let state = file.element(file.top, 11)
            file.set(state, 1, -1)
        },
        FileDamage("in-schema", "two tables of one name", "1:5.3 W11") { file in
            let names = file.element(file.top, 0)
            let width = file.width(names)
            let name = Array(file.bytes[names + 8 + width..<names + 8 + 2 * width])
            file.bytes.replaceSubrange(names + 8 + 2 * width..<names + 8 + 3 * width, with: name)
        },
    ]

    static let tables: [FileDamage] = [
        FileDamage("in-schema", "a table key of another slot", "2:1.1") { file in
            let table = file.table("class_Dog")
            file.set(table, 3, file.element(table, 3) + 2)
        },
        FileDamage("in-schema", "reserved table type 3", "2:3") { file in
            file.set(file.table("class_Dog"), 12, 7)
        },
        FileDamage("in-schema", "a primary key column that does not exist", "2:3") { file in
            let table = file.table("class_Dog")
            file.set(table, 11, file.element(table, 11) + 2 * 200)
        },
        FileDamage("in-schema", "a type entry that is not the key's", "2:4.1 M3") { file in
            file.set(file.element(file.spec("class_Dog"), 0), file.specIndex("class_Dog", "weight"), 1)
        },
        FileDamage("in-schema", "attributes that are not the key's", "2:4.3") { file in
            file.set(file.element(file.spec("class_Dog"), 2), file.specIndex("class_Dog", "weight"), 16)
        },
        FileDamage("in-schema", "marked as indexed without an index", "2:3.1 M18") { file in
            file.set(file.element(file.spec("class_Dog"), 2), file.specIndex("class_Dog", "weight"), 1)
        },
        FileDamage("in-schema", "two columns of one leaf index", "2:1.2 M24") { file in
            let keys = file.element(file.spec("class_Dog"), 5)
            file.set(keys, 1, file.element(keys, 1) & ~0xFFFF | file.element(keys, 2) & 0xFFFF)
        },
        FileDamage("in-schema", "a primary key without index", "2:9 M32") { file in
            let indexes = file.element(file.table("class_Dog"), 4)
            file.set(indexes, file.leafIndex("class_Dog", "_id"), 0)
        },
        FileDamage("in-schema", "an opposite table that does not answer", "2:3.1") { file in
            let tables = file.element(file.table("class_Dog"), 7)
            let place = file.leafIndex("class_Dog", "favoriteToy")
            file.set(tables, place, file.element(tables, place) - 1)
        },
        FileDamage("in-schema", "an opposite entry for a plain column", "2:3.1 M26") { file in
            let tables = file.element(file.table("class_Dog"), 7)
            file.set(tables, file.leafIndex("class_Dog", "weight"), 1)
        },
        FileDamage("in-schema", "arrays by leaf index that are too short", "2:3.1 M26") { file in
            file.bytes[file.element(file.table("class_Dog"), 8) + 7] -= 1
        },
        FileDamage("enumerated-strings", "a number outside the enum keys", "2:6.6.4") { file in
            let leaf = file.leaf("class_Enumerated", "colour")
            file.set(leaf, 0, 1 << file.width(leaf) - 1)
        },
        FileDamage("embedded", "a sequence that would repeat a key", "2:1.3") { file in
            let table = file.table("class_Address")
            file.set(table, 9, 3)
        },
    ]

    static let clusters: [FileDamage] = [
        FileDamage("sparse", "a wrong subtree size", "2:5.1 M28") { file in
            let root = file.element(file.table("class_Sparse"), 2)
            file.set(root, 2, file.element(root, 2) + 2)
        },
        FileDamage("sparse", "a wrong depth", "2:5.1 M28") { file in
            let root = file.element(file.table("class_Sparse"), 2)
            file.set(root, 1, file.element(root, 1) + 2)
        },
        FileDamage("sparse", "K[0] that is not 0", "2:5.1 M28") { file in
            let root = file.element(file.table("class_Sparse"), 2)
            file.set(file.element(root, 0), 0, 1)
        },
        FileDamage("sparse", "keys of a leaf out of order", "2:5.2 M28") { file in
            let leaf = file.clusters("class_Sparse").first { file.element($0, 0) & 1 == 0 }!
            file.swap(file.element(leaf, 0), 0, 1)
        },
        FileDamage("in-schema", "a wrong row count", "2:5.2 M27") { file in
            let leaf = file.clusters("class_DogClub")[0]
            file.set(leaf, 0, file.element(leaf, 0) - 2)
        },
        FileDamage("in-schema", "a column without its array", "2:5.2 M27") { file in
            file.set(file.clusters("class_DogClub")[0], 1 + file.leafIndex("class_DogClub", "name"), 0)
        },
    ]
}
