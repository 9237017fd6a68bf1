// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct ProtocolError: Error, Equatable, CustomStringConvertible {
    package let description: String
}

package enum ClientMessage: Equatable, Sendable {
    case hello(key: String, session: String?, seen: Int, WindowFacts)
    /// `number` counts the events of a page; `edit` counts the edits of a text.
    case event(number: Int, ElementID, ActionKind, ActionValue, edit: Int?)
    case seen(batch: Int)
    case resync
    /// The current properties of the window, and the sizes of measured elements in points.
    case window(WindowFacts, sizes: [ElementID: CGSize])

    /// The maximum lengths of a message and of a text in it, in bytes.
    static let longestMessage = 1 << 20
    static let longestText = 256 << 10

    /// Returns `nil` for an unknown kind or action, which a newer page may send.
    ///
    /// - Throws: `ProtocolError` if the message is malformed or too long.
    package static func decode(_ message: String) throws -> ClientMessage? {
        guard message.utf8.count <= longestMessage else { throw ProtocolError(description: "A message over 1 MiB.") }
        guard let json = try? JSONDecoder().decode(JSONValue.self, from: Data(message.utf8)),
            let kind = json["t"]?.text
        else { throw ProtocolError(description: "A message that isn't an object with a kind.") }
        switch kind {
        case "hello":
            guard let key = json["key"]?.text else { throw ProtocolError(description: "A greeting without a key.") }
            return .hello(
                key: key, session: json["session"]?.text, seen: json["seen"]?.int ?? 0, WindowFacts(json))
        case "size":
            let sizes = (json["r"]?.members ?? [:]).compactMap { name, value -> (ElementID, CGSize)? in
                guard let id = ElementID(name), let size = CGSize(value.items ?? []) else { return nil }
                return (id, size)
            }
            return .window(WindowFacts(json), sizes: Dictionary(sizes) { first, _ in first })
        case "e": return try event(json)
        case "seen":
            guard let batch = json["b"]?.int else { throw ProtocolError(description: "A batch without a number.") }
            return .seen(batch: batch)
        case "resync": return .resync
        default: return nil
        }
    }

    private static func event(_ json: JSONValue) throws -> ClientMessage? {
        guard let number = json["n"]?.int, let id = json["id"]?.elementID, let name = json["a"]?.text else {
            throw ProtocolError(description: "An event without number, element or action.")
        }
        guard let action = ActionKind(rawValue: name) else { return nil }
        return .event(number: number, id, action, try value(json, action), edit: json["k"]?.int)
    }

    private static func value(_ json: JSONValue, _ action: ActionKind) throws -> ActionValue {
        if action == .move { return .before(json["to"]?.elementID) }
        switch json["v"] {
        case .text(let text):
            guard text.utf8.count <= longestText else { throw ProtocolError(description: "A text over 256 KiB.") }
            return .text(text)
        case .bool(let value): return .bool(value)
        case .number(let value): return .number(value)
        case .object(let members) where members["drag"] != nil:
            guard let drag = ActionValue.Drag(members) else {
                throw ProtocolError(description: "A drag without five numbers.")
            }
            return .drag(drag)
        case .object(let members):
            guard let seconds = members["date"]?.double, seconds.isFinite else {
                throw ProtocolError(description: "A value of an unknown kind.")
            }
            return .date(Date(timeIntervalSince1970: seconds))
        default: return .none
        }
    }
}

/// A property that the page doesn't report is `nil`.
package struct WindowFacts: Equatable, Sendable {
    package var size: CGSize?
    package var isDark: Bool?
    package var language: String?
    package var timeZone: String?

    package init() {}

    init(_ json: JSONValue) {
        size = CGSize([json["w"], json["h"]].compactMap(\.self))
        isDark = json["dark"]?.bool
        language = json["lang"]?.text
        timeZone = json["tz"]?.text
    }
}

extension ActionValue.Drag {
    fileprivate init?(_ members: [String: JSONValue]) {
        let numbers = (members["drag"]?.items ?? []).compactMap(\.double).filter { abs($0) <= 100_000 }
        guard numbers.count == 5 else { return nil }
        self.init(
            start: CGPoint(x: numbers[0], y: numbers[1]), location: CGPoint(x: numbers[2], y: numbers[3]),
            distance: numbers[4], isEnd: members["end"]?.bool ?? false)
    }
}

extension CGSize {
    /// Returns `nil` unless the message contains two numbers from 0 to 100,000.
    init?(_ items: [JSONValue]) {
        let numbers = items.compactMap(\.double).filter { (0...100_000).contains($0) }
        guard items.count == 2, numbers.count == 2 else { return nil }
        self.init(width: numbers[0], height: numbers[1])
    }
}

package enum HostMessage: Equatable, Sendable {
    case welcome(session: String, resumes: Bool)
    case batch(Batch)
    case bye(why: String)

    package struct Batch: Equatable, Sendable {
        package let number: Int
        /// The number of the last event that the batch acknowledges.
        package let ack: Int
        /// The number of the last applied edit of each edited text field.
        package let edits: [ElementID: Int]
        package let operations: [Operation]

        package init(number: Int, ack: Int, edits: [ElementID: Int], operations: [Operation]) {
            (self.number, self.ack, self.edits, self.operations) = (number, ack, edits, operations)
        }
    }

    private var json: JSONValue {
        switch self {
        case .welcome(let session, let resumes):
            .object(["t": .text("welcome"), "session": .text(session), "resume": .bool(resumes)])
        case .batch(let batch):
            .object([
                "t": .text("b"), "b": JSONValue(batch.number), "ack": JSONValue(batch.ack),
                "edits": .object(Dictionary(uniqueKeysWithValues: batch.edits.map { ("\($0)", JSONValue($1)) })),
                "ops": .list(batch.operations.map(\.json)),
            ])
        case .bye(let why): .object(["t": .text("bye"), "why": .text(why)])
        }
    }

    package func encoded() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(json), as: UTF8.self)
    }
}

extension Operation {
    var json: JSONValue {
        switch self {
        case .reset: .list([.text("reset")])
        case .new(let id, let kind, let properties):
            .list([.text("new"), JSONValue(id), .text(kind.rawValue), .object(properties.mapValues(\.json))])
        case .put(let parent, let id, let index):
            .list([.text("put"), JSONValue(parent), JSONValue(id), JSONValue(index)])
        case .delete(let id): .list([.text("del"), JSONValue(id)])
        case .set(let id, let properties):
            .list([.text("set"), JSONValue(id), .object(properties.mapValues { $0?.json ?? .null })])
        case .text(let id, let runs): .list([.text("txt"), JSONValue(id), .list(runs.map(\.json))])
        case .scroll(let id): .list([.text("scroll"), JSONValue(id)])
        case .open(let address): .list([.text("open"), .text(address)])
        }
    }
}

extension TextRun {
    var json: JSONValue {
        var members: [String: JSONValue] = ["t": .text(text)]
        if !style.isEmpty { members["s"] = .list(style.sorted().map { .text($0) }) }
        if let address { members["h"] = .text(address) }
        for (name, value) in look { members["l." + name.rawValue] = .text(value) }
        return .object(members)
    }
}
