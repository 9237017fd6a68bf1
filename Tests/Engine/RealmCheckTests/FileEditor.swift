// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport

/// A fixture in memory, with ways to find a node and to change single elements of it.
///
/// It implements just enough of the format to damage it, trusts the bytes it reads, and never moves or resizes
/// anything.
struct FileEditor {
    var bytes: [UInt8]

    init(_ fixture: String) throws { try self.init(path: Fixtures.path("v24/\(fixture).realm")) }

    init(path: String) throws { bytes = try Images.read(path) }

    // MARK: Nodes

    func flags(_ ref: Int) -> UInt8 { bytes[ref + 4] & 0xF8 }
    func width(_ ref: Int) -> Int { (1 << (Int(bytes[ref + 4]) & 7)) >> 1 }
    func count(_ ref: Int) -> Int { Int(bytes[ref + 5]) << 16 | Int(bytes[ref + 6]) << 8 | Int(bytes[ref + 7]) }

    /// An element of a bit-packed node, signed from width 8 on.
    func element(_ ref: Int, _ i: Int) -> Int {
        precondition(i >= 0 && i < count(ref), "no element \(i) at \(ref)")
        let width = width(ref)
        if width == 0 { return 0 }
        if width < 8 {
            return Int(bytes[ref + 8 + i * width / 8]) >> (i * width % 8) & (1 << width - 1)
        }
        var value: UInt64 = 0
        for k in 0..<width / 8 { value |= UInt64(bytes[ref + 8 + i * width / 8 + k]) << UInt64(8 * k) }
        return Int(Int64(bitPattern: value << UInt64(64 - width)) >> Int64(64 - width))
    }

    func elements(_ ref: Int) -> [Int] { (0..<count(ref)).map { element(ref, $0) } }

    mutating func set(_ ref: Int, _ i: Int, _ value: Int) {
        precondition(i >= 0 && i < count(ref), "no element \(i) at \(ref)")
        let width = width(ref)
        if width < 8 {
            let mask = (1 << width - 1) << (i * width % 8)
            let at = ref + 8 + i * width / 8
            bytes[at] = UInt8(Int(bytes[at]) & ~mask | value << (i * width % 8) & mask)
        } else {
            for k in 0..<width / 8 {
                bytes[ref + 8 + i * width / 8 + k] = UInt8(truncatingIfNeeded: value >> (8 * k))
            }
        }
        precondition(element(ref, i) == value, "\(value) does not fit into width \(width)")
    }

    mutating func swap(_ ref: Int, _ i: Int, _ j: Int) {
        let (a, b) = (element(ref, i), element(ref, j))
        set(ref, i, b)
        set(ref, j, a)
    }

    // MARK: Group

    var top: Int {
        let slot = Int(bytes[23] & 1)
        let ref = word(8 * slot)
        return ref == -1 ? word(bytes.count - 16) : ref
    }

    var lastChangeset: Int {
        var ref = element(top, 8)
        while flags(ref) & 0x80 != 0 { ref = element(ref, count(ref) - 2) }
        if flags(ref) & 0x20 == 0 { return element(ref, 1) }
        return elements(ref).last { $0 != 0 && count($0) > 0 }!
    }

    func word(_ at: Int) -> Int {
        Int(Int64(bitPattern: (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }))
    }

    func shortStrings(_ ref: Int) -> [String] {
        let width = width(ref)
        return (0..<count(ref)).map { i in
            let end = ref + 8 + (i + 1) * width
            return String(decoding: bytes[end - width..<max(end - width, end - 1 - Int(bytes[end - 1]))], as: UTF8.self)
        }
    }

    func table(_ name: String) -> Int {
        let slot = shortStrings(element(top, 0)).firstIndex(of: name)
        return element(element(top, 1), slot!)
    }

    func spec(_ table: String) -> Int { element(self.table(table), 0) }

    func specIndex(_ table: String, _ column: String) -> Int {
        shortStrings(element(spec(table), 1)).firstIndex(of: column)!
    }

    func leafIndex(_ table: String, _ column: String) -> Int {
        element(element(spec(table), 5), specIndex(table, column)) & 0xFFFF
    }

    func backlinkCell(_ table: String, where condition: (Int) -> Bool) -> (leaf: Int, row: Int) {
        for key in elements(element(spec(table), 5)) where key >> 16 & 63 == 14 {
            let leaf = element(clusters(table)[0], 1 + (key & 0xFFFF))
            if let row = elements(leaf).firstIndex(where: condition) { return (leaf, row) }
        }
        preconditionFailure("no such backlinks in \(table)")
    }

    // MARK: Clusters

    func clusterLeaves(_ root: Int) -> [Int] {
        if flags(root) & 0x80 == 0 { return [root] }
        return elements(root).dropFirst(3).flatMap { clusterLeaves($0) }
    }

    func clusters(_ table: String) -> [Int] { clusterLeaves(element(self.table(table), 2)) }

    func leaf(_ table: String, _ column: String) -> Int {
        element(clusters(table)[0], 1 + leafIndex(table, column))
    }

    func index(_ table: String, _ column: String) -> Int {
        element(element(self.table(table), 4), leafIndex(table, column))
    }

    func cell(_ table: String, _ column: String, where condition: (Int) -> Bool = { $0 != 0 }) -> Int {
        guard let found = elements(leaf(table, column)).first(where: condition) else {
            preconditionFailure("no such cell in \(table).\(column)")
        }
        return found
    }

    func firstIndexLeaf(_ root: Int) -> Int {
        flags(root) & 0x80 == 0 ? root : firstIndexLeaf(element(root, 1))
    }
}
