// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

extension RecordWriter {
    mutating func text(_ text: Text) { blob(Array(text.string.utf8)) }
}

extension RecordReader {
    mutating func text() throws(RecordError) -> Text {
        let start = offset
        guard let text = String(validating: try blob(), as: UTF8.self) else {
            throw RecordError("a text isn't UTF-8", at: start)
        }
        return Text(text)
    }
}

extension RecordWriter {
    mutating func objects(_ objects: some Collection<ObjectReference>) {
        number(UInt64(objects.count))
        for object in objects {
            text(object.table)
            blob(object.key.inlineEncoding)
        }
    }
}

extension RecordReader {
    mutating func object() throws(RecordError) -> ObjectReference {
        let table = try text()
        let start = offset
        guard let key = PrimaryKey(inline: try blob()) else {
            throw RecordError("a primary key is invalid", at: start)
        }
        return ObjectReference(table, key)
    }

    mutating func objects() throws(RecordError) -> [ObjectReference] {
        var objects: [ObjectReference] = []
        for _ in 0..<(try count()) { objects.append(try object()) }
        return objects
    }
}

extension FileView {
    func write(to writer: inout RecordWriter) {
        for number in [start, queryVersion, UInt64(queries.count)] { writer.number(number) }
        for (name, id) in queries.sorted(by: { $0.key < $1.key }) {
            writer.text(name)
            writer.number(id)
        }
        writer.number(UInt64(fields.count))
        for (name, selection) in fields.sorted(by: { $0.key < $1.key }) {
            writer.text(name)
            selection.write(to: &writer)
        }
    }

    init(_ reader: inout RecordReader) throws(RecordError) {
        (start, queryVersion) = (try reader.number(), try reader.number())
        var queries: [Text: UInt64] = [:]
        for _ in 0..<(try reader.count()) { queries[try reader.text()] = try reader.number() }
        self.queries = queries
        for _ in 0..<(try reader.count()) { fields[try reader.text()] = try FieldSelection(&reader) }
    }
}

extension FieldSelection {
    fileprivate func write(to writer: inout RecordWriter) {
        let (kind, names): (UInt8, Set<Text>) =
            switch self {
            case .all: (0, [])
            case .only(let names): (1, names)
            case .allBut(let names): (2, names)
            }
        writer.byte(kind)
        writer.number(UInt64(names.count))
        for name in names.sorted() { writer.text(name) }
    }

    fileprivate init(_ reader: inout RecordReader) throws(RecordError) {
        let start = reader.offset
        let kind = try reader.byte()
        var names: Set<Text> = []
        for _ in 0..<(try reader.count()) { names.insert(try reader.text()) }
        switch kind {
        case 0: self = .all
        case 1: self = .only(names)
        case 2: self = .allBut(names)
        default: throw RecordError("unknown kind of fields \(kind)", at: start)
        }
    }
}

extension FileChange {
    /// - Throws: `SystemError` if a large changeset can't be read from its file.
    func write(to writer: inout RecordWriter) throws {
        writer.blob(try bytes)
        writer.number(isBootstrap ? 1 : 0)
        writer.number(clientVersion)
        writer.number(UInt64(rejected.count))
        for update in rejected {
            writer.text(Text(update.reason))
            writer.objects(CollectionOfOne(update.object))
        }
        writer.objects(lost)
    }

    init(_ reader: inout RecordReader) throws(RecordError) {
        changeset = try reader.changeset(try reader.blob())
        isBootstrap = try reader.number() != 0
        clientVersion = try reader.number()
        for _ in 0..<(try reader.count()) {
            let (reason, objects) = (try reader.text(), try reader.objects())
            for object in objects {
                rejected.append(ServerError.Rejection.Update(reason: reason.string, object: object))
            }
        }
        lost = Set(try reader.objects())
    }
}

extension ViewChanges {
    func write(to writer: inout RecordWriter) {
        writer.number(UInt64(members.count))
        for (id, members) in members.sorted(by: { $0.key < $1.key }) {
            writer.number(id)
            members.before.write(to: &writer)
            members.after.write(to: &writer)
        }
        writer.number(UInt64(states.count))
        for (number, state) in states.sorted(by: { $0.key < $1.key }) {
            writer.number(UInt64(number))
            writer.blob(Changeset(state).encoded())
        }
    }

    init(_ reader: inout RecordReader) throws(RecordError) {
        for _ in 0..<(try reader.count()) {
            members[try reader.number()] = Members(
                before: try NumberSet(&reader), after: try NumberSet(&reader))
        }
        for _ in 0..<(try reader.count()) {
            let number = Int(clamping: try reader.number())
            states[number] = try reader.changeset(try reader.blob()).instructions
        }
    }
}

extension NumberSet {
    fileprivate func write(to writer: inout RecordWriter) {
        writer.number(UInt64(words.count))
        for word in words { writer.number(word) }
    }

    fileprivate init(_ reader: inout RecordReader) throws(RecordError) {
        var words: [UInt64] = []
        for _ in 0..<(try reader.count()) { words.append(try reader.number()) }
        self.init(words: words)
    }
}
