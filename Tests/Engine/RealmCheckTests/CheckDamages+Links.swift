// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension FileDamage {
    static let links: [FileDamage] = [
        FileDamage("in-schema", "a link that its target does not know", "2:12.1 M35") { file in
            let leaf = file.leaf("class_Dog", "favoriteToy")
            let row = file.elements(leaf).firstIndex { $0 > 1 }!
            file.set(leaf, row, file.element(leaf, row) - 1)
        },
        FileDamage("in-schema", "a link to an object that does not exist", "2:12.1 M35") { file in
            let leaf = file.leaf("class_Dog", "favoriteToy")
            file.set(leaf, 0, 120)
        },
        FileDamage("links", "a backlink of another object", "2:12.1 M35") { file in
            let (leaf, row) = file.backlinkCell("class_Leaf") { $0 & 1 == 1 }
            file.set(leaf, row, file.element(leaf, row) ^ 2)
        },
        FileDamage("links", "one backlink more in a list", "2:12.1 M35") { file in
            let (leaf, row) = file.backlinkCell("class_Hub") { $0 != 0 && $0 & 1 == 0 && file.flags($0) == 0 }
            let list = file.element(leaf, row)
            file.set(list, 0, file.element(list, 1))
        },
        FileDamage("embedded", "an embedded object of two parents", "2:12.2 M36") { file in
            let leaf = file.leaf("class_Person", "home")
            let rows = file.elements(leaf).enumerated().filter { $0.element > 0 }.map(\.offset)
            file.set(leaf, rows[0], file.element(leaf, rows[1]))
        },
        FileDamage("tombstones", "an unresolved link below a root without the flag", "2:7.4 M38") { file in
            let list = file.cell("class_Origin", "list") { $0 != 0 && file.flags($0) & 0x20 != 0 }
            file.bytes[list + 4] &= ~0x20
        },
        FileDamage("links", "the flag of unresolved links without one", "2:7.4 M38") { file in
            let list = file.cell("class_Node", "list") { $0 != 0 && file.flags($0) & 0x80 == 0 }
            file.bytes[list + 4] |= 0x20
        },
        FileDamage("tombstones", "a tombstone of another primary key", "2:1.6") { file in
            let leaf = file.clusterLeaves(file.element(file.table("class_Target"), 13))[0]
            let ids = file.element(leaf, 1 + file.leafIndex("class_Target", "_id"))
            let blob = file.flags(ids) == 0x08 ? ids : file.element(ids, 1)
            file.bytes[blob + 8] ^= 1
        },
        FileDamage("tombstones", "a value in a tombstone", "2:5.8") { file in
            // Width 0 becomes width 1. The bits are then those of the next node, which begins with an odd byte.
            let leaf = file.clusterLeaves(file.element(file.table("class_PlainTarget"), 13))[0]
            let values = file.element(leaf, 1 + file.leafIndex("class_PlainTarget", "n"))
            file.bytes[values + 4] |= 1
        },
    ]

    static let indexes: [FileDamage] = [
        FileDamage("indexes", "an entry under the chunk of another value", "2:9.4 M33 M34") { file in
            let leaf = file.firstIndexLeaf(file.index("class_Indexed", "oid"))
            let keys = file.element(leaf, 0)
            let last = file.count(keys) - 1
            file.set(keys, last, file.element(keys, last) - 1)
        },
        FileDamage("indexes", "index keys out of order", "2:9.3 M33") { file in
            let leaf = file.firstIndexLeaf(file.index("class_Indexed", "oid"))
            file.swap(file.element(leaf, 0), 0, 1)
        },
        FileDamage("indexes", "index keys of another width", "2:9.3 M31") { file in
            let leaf = file.firstIndexLeaf(file.index("class_Indexed", "oid"))
            file.bytes[file.element(leaf, 0) + 4] = 5
        },
        FileDamage("primary-keys", "two literals swapped", "2:9.4 M33 M34") { file in
            let leaf = file.firstIndexLeaf(file.index("class_UUID", "_id"))
            let entries = file.elements(leaf).enumerated().filter { $0.element & 1 == 1 }.map(\.offset)
            file.swap(leaf, entries[0], entries[1])
        },
        FileDamage("primary-keys", "an object named twice and one left out", "2:9.4 M34") { file in
            let leaf = file.firstIndexLeaf(file.index("class_UUID", "_id"))
            let entries = file.elements(leaf).enumerated().filter { $0.element & 1 == 1 }.map(\.offset)
            file.set(leaf, entries[0], file.element(leaf, entries[1]))
        },
        FileDamage("primary-keys", "two objects of one primary key", "2:9 M32") { file in
            let leaf = file.leaf("class_Int", "_id")
            file.set(leaf, 1, file.element(leaf, 0))
        },
        FileDamage("indexes", "an index list out of order", "2:9.4 M33") { file in
            let list = file.indexList("class_Duplicates", "int")
            file.swap(list, 0, 1)
        },
        FileDamage("indexes", "an indexed value changed without its index", "2:9.4 M33 M34") { file in
            let leaf = file.leaf("class_Duplicates", "bool")
            file.set(leaf, 0, 1 - file.element(leaf, 0))
        },
        FileDamage("fulltext", "a word that the index does not know", "2:9.5 M34") { file in
            let titles = file.leaf("class_Article", "title")
            let blob = file.flags(titles) == 0x40 ? file.element(titles, 1) : file.cell("class_Article", "title")
            let place = (blob + 8..<blob + 200).first { (0x61...0x79).contains(file.bytes[$0]) }!
            file.bytes[place] = UInt8(ascii: "z")
        },
        FileDamage("fulltext", "an index entry that no text has", "2:9.5 M33 M34") { file in
            let titles = file.leaf("class_Article", "title")
            let blob = file.flags(titles) == 0x40 ? file.element(titles, 1) : file.cell("class_Article", "title")
            let place = (blob + 8..<blob + 200).first { (0x61...0x79).contains(file.bytes[$0]) }!
            file.bytes[place] = UInt8(ascii: "z")
        },
        FileDamage("indexes", "a list word that the index does not know", "2:9.5 M34") { file in
            let list = file.cell("class_ListIndexed", "tags") { root in
                root != 0 && file.flags(root) == 0x08 && file.count(root) > 1 && file.width(root) > 4
            }
            file.bytes[list + 8] = UInt8(ascii: "~")
        },
    ]
}

extension FileEditor {
    /// The first list of more than one object in an index.
    func indexList(_ table: String, _ column: String) -> Int {
        var pending = [index(table, column)]
        while let node = pending.popLast() {
            for entry in elements(node).dropFirst() where entry & 1 == 0 {
                if flags(entry) & 0x20 != 0 {
                    pending.append(entry)
                } else if flags(entry) == 0, count(entry) > 1 {
                    return entry
                }
            }
        }
        preconditionFailure("no index list")
    }
}
