// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Word indexes contain one entry per distinct word and object of their column, where the word ends (content 9.5).
struct FullTextIndexAudit {
    private struct Place {
        let ref: Int64
        /// Distinct object keys, ascending.
        let keys: [Int64]
        var isClaimed: [Bool]

        func position(of key: Int64) -> Int? {
            let position = keys.partitioningIndex { $0 >= key }
            return position < keys.count && keys[position] == key ? position : nil
        }
    }

    private let audit: Audit
    private let column: Audit.Column
    private let table: Audit.Table
    private let isList: Bool
    private var places: [Place] = []
    private var placesByPath: [[Int32]: Int] = [:]

    init(_ audit: Audit, _ column: Audit.Column, _ table: Audit.Table, _ index: Audit.IndexEntries) {
        self.audit = audit
        self.column = column
        self.table = table
        isList = column.indexKind == .words
        for entry in index.entries {
            let keys = Array(index.keys[entry.keys])
            if entry.isList, !isAscending(keys) {
                reportStale(entry.ref, "list is not ascending, or names an object twice")
            }
            let distinct = isAscending(keys) ? keys : Array(Set(keys)).sorted()
            placesByPath[index.chunks(entry.path)] = places.count
            places.append(
                Place(ref: entry.ref, keys: distinct, isClaimed: Array(repeating: false, count: distinct.count)))
        }
    }

    mutating func run() {
        for row in table.live.keys.indices {
            let key = table.live.key(row)
            for word in words(ofRow: row) { find(word, key) }
        }
        for place in places {
            for (i, key) in place.keys.enumerated() where !place.isClaimed[i] {
                reportStale(place.ref, "entry for object \(key), which has no such word")
            }
        }
    }

    /// nil is the null element of a list.
    private func words(ofRow row: Int) -> Set<[UInt8]?> {
        if !isList {
            guard case .string(let text) = column.kept[row], audit.canWork(8 * text.count) else { return [] }
            return Set(Tokenizer.tokens(of: audit.array(text)).map { $0 })
        }
        let start = row == 0 ? 0 : column.wordEnds[row - 1]
        return Set(
            column.kept[start..<column.wordEnds[row]].map { datum in
                if case .string(let run) = datum { audit.array(run) } else { nil }
            })
    }

    /// Content 13.7 allows stale entries in lists of strings only.
    private func reportStale(_ ref: Int64, _ message: String) {
        if isList {
            audit.remnant(ref, "2:13.7 M33", message)
        } else {
            audit.violation(ref, "2:9.5 M33 M34", message)
        }
    }

    private mutating func find(_ word: [UInt8]?, _ key: Int64) {
        let name = word.map { String(decoding: $0.prefix(40), as: UTF8.self) } ?? "null"
        if let word, word.count > FileFormat.maximumWordByteCount {
            return audit.violation(column.indexRoot, "2:9.5 M40", "indexed word of \(word.count) bytes")
        }
        let levels = word.map { max(1, ($0.count + 3) / 4) } ?? 1
        let path = (0..<levels).map { chunk(word, $0) }
        let following = chunk(word, levels)
        if claim(path, key) || claim(path + [following], key) { return }
        if claim(path + [0], key) {
            guard let place = placesByPath[path + [0]] else { return }
            return audit.remnant(places[place].ref, "2:9.5 M33", "word \(name) misplaced because of an X")
        }
        audit.violation(column.indexRoot, "2:9.5 M34", "word \(name) of object \(key) is not in the index")
    }

    private func chunk(_ word: [UInt8]?, _ level: Int) -> Int32 {
        word.map { AuditedIndexData.chunk(of: $0, at: 4 * level) } ?? 0
    }

    private mutating func claim(_ path: [Int32], _ key: Int64) -> Bool {
        guard let place = placesByPath[path], let position = places[place].position(of: key) else { return false }
        places[place].isClaimed[position] = true
        return true
    }
}

/// The tokens of a text in full-text indexes (content 9.6).
enum Tokenizer {
    /// U+00C0…U+00DE folded; U+00E0…U+00FE fold alike.
    private static let folded: [[UInt8]] = "a a a a a å æ c e e e e i i i i ð n o o o o o - ø u u u u y þ"
        .split(separator: " ").map { $0 == "-" ? [] : Array($0.utf8) }

    static func tokens(of text: [UInt8]) -> Set<[UInt8]> {
        var found: Set<[UInt8]> = []
        var token: [UInt8] = []
        var isInside = false
        var at = 0
        while at < text.count {
            let (letter, length) = wordCharacter(text, at)
            if let letter {
                isInside = true
                if token.count + letter.count <= FileFormat.maximumTokenByteCount { token += letter }
            } else if isInside {
                found.insert(token)
                token = []
                isInside = false
            }
            at += length
        }
        if isInside { found.insert(token) }
        return found
    }

    /// Returns the folded letter, nil for a separator, and the number of bytes to skip.
    private static func wordCharacter(_ text: [UInt8], _ at: Int) -> ([UInt8]?, Int) {
        let byte = text[at]
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): return ([byte], 1)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return ([byte + 32], 1)
        case 0xC0...0xDF where at + 1 < text.count:
            return (fold(UInt32(byte & 31) << 6 | UInt32(text[at + 1] & 63)), 2)
        case 0xE0...0xEF: return (nil, 3)
        case 0xF0...0xF7: return (nil, 4)
        default: return (nil, 1)
        }
    }

    private static func fold(_ character: UInt32) -> [UInt8]? {
        switch character {
        case 0xC0...0xDE: folded[Int(character - 0xC0)]
        case 0xDF: [0xC3, 0x9F]
        case 0xE0...0xFE: folded[Int(character - 0xE0)]
        default: nil
        }
    }
}
