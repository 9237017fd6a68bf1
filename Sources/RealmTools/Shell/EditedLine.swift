// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A line that a person types: its text, and where the cursor is.
struct EditedLine {
    /// What a key does.
    enum Key: Equatable {
        case text(Character)
        case left, right, home, end
        case backspace, delete
        case eraseToEnd, eraseToStart, eraseWord
        case older, newer
        case complete
        case enter, interrupt, endOfInput
    }

    private(set) var text: [Character] = []
    private(set) var cursor = 0
    /// Lines that were typed before, the oldest first.
    let history: [String]
    private var place: Int
    /// What was typed before older lines were looked at.
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

    private mutating func show(_ new: Int) {
        guard 0...history.count ~= new else { return }
        if place == history.count { draft = text }
        place = new
        text = new == history.count ? draft : Array(history[new])
        cursor = text.count
    }

    /// What stands before the cursor.
    var beforeCursor: String { String(text[..<cursor]) }

    mutating func insert(_ string: some StringProtocol) {
        for character in string { apply(.text(character)) }
    }
}
