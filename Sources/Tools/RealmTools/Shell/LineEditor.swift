// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem

final class LineEditor {
    private var history: [String]
    private let path: String?
    private let complete: (String) -> ShellCompletion.Choice

    private static let longestHistory = 1000

    /// `path` is a file of previous lines, which is updated.
    init(historyAt path: String?, complete: @escaping (String) -> ShellCompletion.Choice) {
        self.path = path
        self.complete = complete
        let text = path.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
        history = text.split(separator: "\n").suffix(LineEditor.longestHistory).map { String($0) }
    }

    /// Returns the next line; nil at the end of the input. An interrupt returns an empty line.
    func readLine(prompt: String) -> String? {
        var old = termios()
        guard tcgetattr(0, &old) == 0 else { return Swift.readLine() }
        var raw = old
        cfmakeraw(&raw)
        // Lines printed meanwhile still begin at the left margin.
        raw.c_oflag = old.c_oflag
        tcsetattr(0, TCSADRAIN, &raw)
        defer {
            tcsetattr(0, TCSADRAIN, &old)
            show("\n")
        }
        return edit(prompt)
    }

    private func edit(_ prompt: String) -> String? {
        var line = EditedLine(history: history)
        draw(prompt, line)
        while let key = nextKey() {
            switch key {
            case .enter:
                remember(line.string)
                return line.string
            case .interrupt: return ""
            case .endOfInput:
                if line.text.isEmpty { return nil }
                line.apply(.delete)
            case .complete: offer(&line)
            default: line.apply(key)
            }
            draw(prompt, line)
        }
        return nil
    }

    private func offer(_ line: inout EditedLine) {
        let choice = complete(line.beforeCursor)
        line.insert(choice.insertion)
        if choice.insertion.isEmpty, choice.candidates.count > 1 {
            show("\r\u{1B}[K" + choice.candidates.joined(separator: "  ") + "\n")
        }
    }

    /// A wrapped line couldn't be redrawn, so only the part of a long line around the cursor is drawn.
    private func draw(_ prompt: String, _ line: EditedLine) {
        let window = line.window(cells: max(8, LineEditor.columnCount - prompt.count - 1))
        show("\r\u{1B}[K" + prompt + window.text + (window.back > 0 ? "\u{1B}[\(window.back)D" : ""))
    }

    private static var columnCount: Int {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private func show(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    private func remember(_ line: String) {
        guard !line.allSatisfy(\.isWhitespace), line != history.last else { return }
        history.append(line)
        guard let path else { return }
        let text = history.suffix(LineEditor.longestHistory).joined(separator: "\n") + "\n"
        let isNew = !FileManager.default.fileExists(atPath: path)
        try? Data(text.utf8).write(to: URL(fileURLWithPath: path))
        if isNew { chmod(path, 0o600) }
    }

    // MARK: Keys

    private func nextByte() -> UInt8? {
        var byte: UInt8 = 0
        return read(0, &byte, 1) == 1 ? byte : nil
    }

    private func nextKey() -> EditedLine.Key? {
        while let byte = nextByte() {
            if let key = LineEditor.controls[byte] { return key }
            if byte == 27 {
                if let key = escape() { return key }
            } else if byte >= 32, let character = character(byte) {
                return .text(character)
            }
        }
        return nil
    }

    private static let controls: [UInt8: EditedLine.Key] = [
        1: .home, 2: .left, 3: .interrupt, 4: .endOfInput, 5: .end, 6: .right, 8: .backspace, 9: .complete, 10: .enter,
        11: .eraseToEnd, 13: .enter, 14: .newer, 16: .older, 21: .eraseToStart, 23: .eraseWord, 127: .backspace,
    ]

    /// Decodes the sequence after an escape: `[`, parameters and a byte from `@` to `~`; `O` and a letter; or a letter,
    /// for Alt. An unknown sequence is skipped as a whole. No bytes follow the key Escape.
    private func escape() -> EditedLine.Key? {
        var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        guard poll(&input, 1, LineEditor.escapeMilliseconds) > 0 else { return nil }
        switch nextByte() {
        case UInt8(ascii: "b"): return .wordLeft
        case UInt8(ascii: "f"): return .wordRight
        case UInt8(ascii: "O"): return nextByte().flatMap { LineEditor.letters[$0] }
        case UInt8(ascii: "["): break
        default: return nil
        }
        var parameters = ""
        while let byte = nextByte() {
            guard 0x40...0x7E ~= byte else {
                parameters.unicodeScalars.append(Unicode.Scalar(byte))
                continue
            }
            if byte == UInt8(ascii: "~") { return LineEditor.numbers[parameters] }
            let key = LineEditor.letters[byte]
            // Control or Alt is pressed.
            let isByWord = parameters == "1;5" || parameters == "1;3"
            return isByWord && key == .left ? .wordLeft : isByWord && key == .right ? .wordRight : key
        }
        return nil
    }

    /// The maximum time that a terminal needs to send the rest of a sequence.
    private static let escapeMilliseconds: Int32 = 50

    private static let letters: [UInt8: EditedLine.Key] = [
        UInt8(ascii: "A"): .older, UInt8(ascii: "B"): .newer, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end,
    ]

    private static let numbers: [String: EditedLine.Key] = [
        "1": .home, "3": .delete, "4": .end, "7": .home, "8": .end,
    ]

    private func character(_ first: UInt8) -> Character? {
        var bytes = [first]
        let count = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        while bytes.count < count, let byte = nextByte() { bytes.append(byte) }
        return String(validatedUTF8: bytes)?.first
    }
}
