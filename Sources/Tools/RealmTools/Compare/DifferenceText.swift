// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmValues

final class DifferenceText {
    private let output: TextOutput
    private let asJSON: Bool
    private(set) var count = 0

    init(_ output: TextOutput, asJSON: Bool) {
        self.output = output
        self.asJSON = asJSON
    }

    func begin() throws {
        if asJSON { try output.write("{\"differences\":[") }
    }

    func end() throws {
        if asJSON { return try output.write((count == 0 ? "" : "\n") + "],\"count\":\(count)}\n") }
        if count > 0 { try output.writeLine(count.counted("difference")) }
    }

    func write(_ difference: FileComparison.Difference) throws {
        count += 1
        if asJSON {
            try output.write(count == 1 ? "\n" : ",\n")
            try output.write(DifferenceText.json(difference).bytes)
        } else {
            try output.writeLine(line(difference))
        }
    }

    private func line(_ difference: FileComparison.Difference) -> String {
        switch difference {
        case .schema(let side, let name, let property, let first, let second):
            let what = property.map { "property \(name.printable).\($0.printable)" } ?? "class \(name.printable)"
            let detail = [first, second].compactMap(\.self).joined(separator: " → ")
            return mark(side, what) + (detail.isEmpty ? "" : ": " + detail.printable)
        case .object(let side, let name, let object):
            return mark(side, "\(name.printable) \(DifferenceText.text(object))")
        case .values(let name, let object, let changes):
            let texts = changes.map {
                "\($0.property.printable): \(DifferenceText.text($0.first)) → \(DifferenceText.text($0.second))"
            }
            return mark(.both, "\(name.printable) \(DifferenceText.text(object))") + "  "
                + texts.joined(separator: ", ")
        }
    }

    private func mark(_ side: FileComparison.Side, _ text: String) -> String {
        switch side {
        case .first: output.terminal.coloured("- " + text, .red)
        case .second: output.terminal.coloured("+ " + text, .green)
        case .both: output.terminal.coloured("~ " + text, .yellow)
        }
    }

    private static let longest = 200

    private static func text(_ json: JSONText) -> String {
        let text = String(decoding: json.bytes, as: UTF8.self)
        return (text.count > longest ? text.prefix(longest) + "…" : text[...]).description.printable
    }

    private static func json(_ difference: FileComparison.Difference) -> JSONText {
        JSONText.object { json in
            switch difference {
            case .schema(let side, let name, let property, let first, let second):
                json.member("kind", property == nil ? "class" : "property")
                add(side, name, to: &json)
                if let property { json.member("property", property) }
                if let first { json.member("first", first) }
                if let second { json.member("second", second) }
            case .object(let side, let name, let object):
                json.member("kind", "object")
                add(side, name, to: &json)
                json.member("object", object)
            case .values(let name, let object, let changes):
                json.member("kind", "values")
                add(.both, name, to: &json)
                json.member("object", object)
                json.member("properties")
                json.object { json in
                    for change in changes {
                        json.member(change.property, [change.first, change.second]) { $0.raw($1) }
                    }
                }
            }
        }
    }

    private static func add(_ side: FileComparison.Side, _ name: String, to json: inout JSONText) {
        json.member("in", side == .first ? "first" : side == .second ? "second" : "both")
        json.member("class", name)
    }
}
