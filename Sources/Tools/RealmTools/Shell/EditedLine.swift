// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct EditedLine {
    enum Key: Equatable {
        case text(Character)
        case left, right, wordLeft, wordRight, home, end
        case backspace, delete
        case eraseToEnd, eraseToStart, eraseWord
        case older, newer
        case complete
        case enter, interrupt, endOfInput
    }

    private(set) var text: [Character] = []
    private(set) var cursor = 0
    /// Previous lines, the oldest first.
    let history: [String]
    private var place: Int
    private var draft: [Character] = []

    init(history: [String] = []) {
        self.history = history
        place = history.count
    }

    var string: String { String(text) }

    mutating func apply(_ key: Key) {
        switch key {
        case .text(let character):
            text.insert(character, at: cursor)
            cursor += 1
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(text.count, cursor + 1)
        case .wordLeft: cursor = startOfWord
        case .wordRight: cursor = endOfWord
        case .home: cursor = 0
        case .end: cursor = text.count
        case .backspace where cursor > 0:
            cursor -= 1
            text.remove(at: cursor)
        case .delete where cursor < text.count: text.remove(at: cursor)
        case .eraseToEnd: text.removeSubrange(cursor...)
        case .eraseToStart:
            text.removeSubrange(..<cursor)
            cursor = 0
        case .eraseWord:
            let start = startOfWord
            text.removeSubrange(start..<cursor)
            cursor = start
        case .older: show(place - 1)
        case .newer: show(place + 1)
        default: break
        }
    }

    private var startOfWord: Int {
        var start = cursor
        while start > 0, text[start - 1].isWhitespace { start -= 1 }
        while start > 0, !text[start - 1].isWhitespace { start -= 1 }
        return start
    }

    private var endOfWord: Int {
        var end = cursor
        while end < text.count, text[end].isWhitespace { end += 1 }
        while end < text.count, !text[end].isWhitespace { end += 1 }
        return end
    }

    private mutating func show(_ new: Int) {
        guard 0...history.count ~= new else { return }
        if place == history.count { draft = text }
        place = new
        text = new == history.count ? draft : Array(history[new])
        cursor = text.count
    }

    /// Returns the part around the cursor that fits this many cells of a terminal, and the number of its cells after
    /// the cursor.
    func window(cells: Int) -> (text: String, back: Int) {
        var (start, end, used) = (cursor, cursor, 0)
        while start > 0, used + text[start - 1].cellCount <= cells {
            start -= 1
            used += text[start].cellCount
        }
        let before = used
        while end < text.count, used + text[end].cellCount <= cells {
            used += text[end].cellCount
            end += 1
        }
        return (String(text[start..<end]), used - before)
    }

    var beforeCursor: String { String(text[..<cursor]) }

    mutating func insert(_ string: some StringProtocol) {
        for character in string { apply(.text(character)) }
    }
}

extension Character {
    /// The width in cells of a terminal: ideographs and emoji have two.
    fileprivate var cellCount: Int {
        let wide: [ClosedRange<UInt32>] = [
            0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD,
        ]
        guard let first = unicodeScalars.first?.value, first >= 0x1100 else { return 1 }
        return wide.contains { $0.contains(first) } ? 2 : 1
    }
}
