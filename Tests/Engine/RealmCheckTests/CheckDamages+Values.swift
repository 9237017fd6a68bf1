// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension FileDamage {
    static let values: [FileDamage] = [
        FileDamage("all-types", "a null marker that is not the upper bound", "2:6.2 W8 M29") { file in
            file.set(file.leaf("class_IntWidths", "w16null"), 0, 32766)
        },
        FileDamage("all-types", "a boolean 2", "2:6.3") { file in
            file.set(file.leaf("class_Nullable", "bool"), 0, 2)
        },
        FileDamage("all-types", "null in a required column", "2:10.1 M41") { file in
            let leaf = file.leaf("class_Required", "float")
            file.bytes.replaceSubrange(leaf + 8..<leaf + 12, with: [0xAA, 0x00, 0xC0, 0x7F])
        },
        FileDamage("all-types", "doubles of width 4", "2:6.4") { file in
            file.bytes[file.leaf("class_Required", "double") + 4] -= 1
        },
        FileDamage("all-types", "decimals of width 2", "2:6.9 M10") { file in
            let leaf = file.leaf("class_DecimalLeaves", "w32")
            file.bytes[leaf + 4] -= 1
        },
        FileDamage("all-types", "a block of ObjectIds that is too short", "2:6.10 M11") { file in
            file.bytes[file.leaf("class_Required", "oid") + 7] -= 1
        },
        FileDamage("all-types", "a short string with too much padding", "2:6.6.1 R14") { file in
            let leaf = file.leaf("class_StringLeaves", "s8")
            file.bytes[leaf + 7 + file.width(leaf)] = 0xF0
        },
        FileDamage("all-types", "a short string with non-zero padding", "2:6.6.1 R14") { file in
            let leaf = file.leaf("class_StringLeaves", "s8")
            let width = file.width(leaf)
            let padded = (0..<file.count(leaf)).first { row in
                (2..<width).contains(Int(file.bytes[leaf + 7 + (row + 1) * width]))
            }!
            file.bytes[leaf + 6 + (padded + 1) * width] = 0x41
        },
        FileDamage("all-types", "a medium string without its terminator", "2:6.6.2 M30") { file in
            let leaf = file.leaf("class_StringLeaves", "s31")
            let row = file.elements(file.element(leaf, 2)).firstIndex(of: 0)!
            file.bytes[file.element(leaf, 1) + 7 + file.element(file.element(leaf, 0), row)] = 0x41
        },
        FileDamage("all-types", "ends that descend", "2:6.6.2") { file in
            let ends = file.element(file.leaf("class_StringLeaves", "s31"), 0)
            file.set(ends, 2, file.element(ends, 1) - 1)
        },
        FileDamage("all-types", "a big string without its terminator", "2:6.6.3 M30") { file in
            let blob = file.cell("class_StringLeaves", "s65")
            file.bytes[blob + 7 + file.count(blob)] = 0x41
        },
        FileDamage("all-types", "nanoseconds of the other sign", "2:10.4 M40") { file in
            let leaf = file.leaf("class_Required", "date")
            let (seconds, nanoseconds) = (file.element(leaf, 0), file.element(leaf, 1))
            let row = file.elements(seconds).dropFirst().firstIndex { $0 > 0 }! - 1
            file.set(nanoseconds, row, -1)
        },
        FileDamage("all-types", "nanoseconds of more than a second", "2:10.4 M40") { file in
            let nanoseconds = file.element(file.leaf("class_Required", "date"), 1)
            file.set(nanoseconds, 0, 1_000_000_000)
        },
        FileDamage("all-types", "text that is not UTF-8", "2:6.6") { file in
            let blob = file.cell("class_StringLeaves", "s65")
            file.bytes[blob + 8] = 0xFF
        },
        FileDamage("mixed", "a Mixed type that does not exist", "2:6.14") { file in
            let descriptors = file.element(file.leaf("class_Holder", "any"), 0)
            let row = file.elements(descriptors).firstIndex { $0 != 0 }!
            file.set(descriptors, row, file.element(descriptors, row) | 31)
        },
        FileDamage("mixed", "a Mixed payload used twice", "2:6.14") { file in
            let descriptors = file.element(file.leaf("class_Holder", "any"), 0)
            let rows = file.elements(descriptors).enumerated().filter { $0.element >> 5 & 7 == 3 }.map(\.offset)
            file.set(descriptors, rows[0], file.element(descriptors, rows[1]))
        },
        FileDamage("mixed", "an inline boolean 2", "2:6.14") { file in
            let descriptors = file.element(file.leaf("class_Holder", "any"), 0)
            let row = file.elements(descriptors).firstIndex { $0 & 31 == 2 }!
            file.set(descriptors, row, 2 << 8 | 2)
        },
        FileDamage("nested", "a nested collection without its key", "2:6.14 M37") { file in
            let keys = file.element(file.leaf("class_Nested", "any"), 5)
            let row = file.elements(keys).firstIndex { $0 != 0 }!
            file.set(keys, row, 0)
        },
        FileDamage("nested", "two nested collections of one key", "2:6.14 M37") { file in
            let list = file.cell("class_Nested", "list") { root in
                root != 0 && file.flags(root) == 0x40 && file.element(root, 5) != 0
                    && file.elements(file.element(root, 5)).count { $0 != 0 } > 1
            }
            let keys = file.element(list, 5)
            let rows = file.elements(keys).enumerated().filter { $0.element != 0 }.map(\.offset)
            file.set(keys, rows[0], file.element(keys, rows[1]))
        },
    ]

    static let collections: [FileDamage] = [
        FileDamage("collections-set", "a set out of order", "2:7.3 M39") { file in
            let set = file.cell("class_Sets", "int") { $0 != 0 && file.flags($0) == 0 && file.count($0) > 1 }
            file.swap(set, 0, 1)
        },
        FileDamage("collections-set", "a set with an element twice", "2:7.3 M39") { file in
            let set = file.cell("class_Sets", "int") { $0 != 0 && file.flags($0) == 0 && file.count($0) > 1 }
            file.set(set, 1, file.element(set, 0))
        },
        FileDamage("collections-list", "a tree with a wrong total", "1:4.4 W9") { file in
            let list = file.cell("class_Lists", "int") { $0 != 0 && file.flags($0) & 0x80 != 0 }
            file.set(list, file.count(list) - 1, file.element(list, file.count(list) - 1) + 2)
        },
        FileDamage("collections-list", "a tree whose branch begins with 0", "1:4.2 W9") { file in
            let list = file.cell("class_Lists", "int") { $0 != 0 && file.flags($0) & 0x80 != 0 }
            file.set(list, 0, 0)
        },
        FileDamage("collections-list", "a tree with wrong elements per child", "1:4.4 W9") { file in
            let list = file.cell("class_Lists", "int") { root in
                root != 0 && file.flags(root) & 0x80 != 0 && file.element(root, 0) & 1 == 1
            }
            file.set(list, 0, 2 * 999 + 1)
        },
        FileDamage("collections-list", "a list whose child is tagged", "1:4.2 W9") { file in
            let list = file.cell("class_Lists", "int") { $0 != 0 && file.flags($0) & 0x80 != 0 }
            file.set(list, 1, file.element(list, 1) + 1)
        },
        FileDamage("collections-list", "a root with the flags of something else", "2:A") { file in
            let list = file.cell("class_Lists", "int") { $0 != 0 && file.flags($0) == 0 }
            file.bytes[list + 4] |= 0x08
        },
        FileDamage("in-schema", "a dictionary key twice", "2:7.6 M39") { file in
            let dictionary = file.cell("class_Dog", "traits") { root in
                root != 0 && file.flags(file.element(root, 0)) == 0x08 && file.count(file.element(root, 0)) > 1
            }
            let keys = file.element(dictionary, 0)
            let width = file.width(keys)
            let first = Array(file.bytes[keys + 8..<keys + 8 + width])
            file.bytes.replaceSubrange(keys + 8 + width..<keys + 8 + 2 * width, with: first)
        },
        FileDamage("in-schema", "a dictionary key with a dollar", "2:7.6 M39") { file in
            let keys = file.element(file.cell("class_Dog", "traits"), 0)
            file.bytes[keys + 8] = 0x24
        },
        FileDamage("collections-dictionary", "a value of another type", "2:7.6") { file in
            let dictionary = file.cell("class_Dictionaries", "bool") { root in
                root != 0 && file.flags(file.element(root, 1)) == 0x40
            }
            let descriptors = file.element(file.element(dictionary, 1), 0)
            let row = file.elements(descriptors).firstIndex { $0 & 255 == 2 }!
            file.set(descriptors, row, file.element(descriptors, row) - 1)
        },
    ]
}
