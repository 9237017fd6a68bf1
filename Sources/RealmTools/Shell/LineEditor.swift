// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem

/// Reads lines from a terminal, with editing, history and completion.
final class LineEditor {
    private var history: [String]
    private let path: String?
    private let complete: (String) -> ShellCompletion.Choice

    private static let longestHistory = 1000

    /// `path` is a file of older lines, which is kept up to date.
    init(historyAt path: String?, complete: @escaping (String) -> ShellCompletion.Choice) {
        self.path = path
        self.complete = complete
        let text = path.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
        history = text.split(separator: "\n").suffix(LineEditor.longestHistory).map { String($0) }
    }

    /// The next line; nil at the end of the input. An interrupt gives an empty line.
    func readLine(prompt: String) -> String? {
        var old = termios()
        guard tcgetattr(0, &old) == 0 else { return Swift.readLine() }
        var raw = old
        cfmakeraw(&raw)
        // Lines that are printed meanwhile still begin at the left.
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

    private func draw(_ prompt: String, _ line: EditedLine) {
        let back = line.text.count - line.cursor
        show("\r\u{1B}[K" + prompt + line.string + (back > 0 ? "\u{1B}[\(back)D" : ""))
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

    /// The next key that means something; nil at the end of the input.
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

    private func escape() -> EditedLine.Key? {
        guard let first = nextByte(), first == UInt8(ascii: "[") || first == UInt8(ascii: "O") else { return nil }
        switch nextByte() {
        case UInt8(ascii: "A"): return .older
        case UInt8(ascii: "B"): return .newer
        case UInt8(ascii: "C"): return .right
        case UInt8(ascii: "D"): return .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "3"): return nextByte() == UInt8(ascii: "~") ? .delete : nil
        case UInt8(ascii: "1"): return nextByte() == UInt8(ascii: "~") ? .home : nil
        case UInt8(ascii: "4"): return nextByte() == UInt8(ascii: "~") ? .end : nil
        default: return nil
        }
    }

    /// The character that begins with this byte of UTF-8.
    private func character(_ first: UInt8) -> Character? {
        var bytes = [first]
        let count = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        while bytes.count < count, let byte = nextByte() { bytes.append(byte) }
        return String(validating: bytes, as: UTF8.self)?.first
    }
}
