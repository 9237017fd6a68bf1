// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The contents of an object's properties, keyed by slot. A property without an entry has its initial content.
///
/// Most objects have few properties. Their contents are in an array of exactly their number, which takes less than
/// half of the memory of a dictionary. Many contents are in a dictionary, so that a change takes constant time.
struct ObjectRow: ExpressibleByDictionaryLiteral {
    typealias Entry = (slot: Text, content: ObjectContent)

    fileprivate enum Storage {
        case few([(slot: Text, content: PackedContent)])
        case many([Text: ObjectContent])
    }

    fileprivate var storage = Storage.few([])

    private static let maxFew = 32

    /// - Parameter entries: Each slot occurs once.
    init(_ entries: [Entry]) {
        storage =
            entries.count <= ObjectRow.maxFew
            ? .few(entries.map { ($0.slot, PackedContent($0.content)) })
            : .many(Dictionary(uniqueKeysWithValues: entries.map { ($0.slot, $0.content) }))
    }

    init(dictionaryLiteral entries: (Text, ObjectContent)...) {
        for (slot, content) in entries { self[slot] = content }
    }

    var count: Int {
        switch storage {
        case .few(let entries): entries.count
        case .many(let contents): contents.count
        }
    }

    subscript(slot: Text) -> ObjectContent? {
        get {
            switch storage {
            case .few(let entries): entries.first { $0.slot == slot }?.content.content
            case .many(let contents): contents[slot]
            }
        }
        set {
            if let newValue { put(newValue, slot) } else { removeValue(forKey: slot) }
        }
    }

    private mutating func put(_ content: ObjectContent, _ slot: Text) {
        switch storage {
        case .few(var entries):
            storage = .few([])
            if let index = entries.firstIndex(where: { $0.slot == slot }) {
                entries[index].content = PackedContent(content)
            } else if entries.count < ObjectRow.maxFew {
                entries.reserveCapacity(entries.count + 1)
                entries.append((slot, PackedContent(content)))
            } else {
                storage = .many(Dictionary(uniqueKeysWithValues: entries.map { ($0.slot, $0.content.content) }))
                return put(content, slot)
            }
            storage = .few(entries)
        case .many(var contents):
            storage = .few([])
            contents[slot] = content
            storage = .many(contents)
        }
    }

    @discardableResult
    mutating func removeValue(forKey slot: Text) -> ObjectContent? {
        switch storage {
        case .few(var entries):
            guard let index = entries.firstIndex(where: { $0.slot == slot }) else { return nil }
            storage = .few([])
            defer { storage = .few(entries) }
            entries.swapAt(index, entries.count - 1)
            return entries.removeLast().content.content
        case .many(var contents):
            storage = .few([])
            defer { storage = .many(contents) }
            return contents.removeValue(forKey: slot)
        }
    }
}

/// A `Content` of half the size: links, which are the largest values, and embedded objects are in boxes.
private enum PackedContent {
    case null
    case int(Int64)
    case bool(Bool)
    case string(Text)
    case timestamp(Timestamp)
    case double(Double)
    case objectId(ObjectIdBytes)
    case uuid(UUIDBytes)
    case list(PositionTree<ObjectContent>)
    case set(Set<SyncValue>)
    case dictionary([Text: ObjectContent])
    indirect case other(ObjectContent)

    init(_ content: ObjectContent) {
        switch content {
        case .value(.null): self = .null
        case .value(.int(let value)): self = .int(value)
        case .value(.bool(let value)): self = .bool(value)
        case .value(.string(let value)): self = .string(value)
        case .value(.timestamp(let value)): self = .timestamp(value)
        case .value(.double(let value)): self = .double(value)
        case .value(.objectId(let value)): self = .objectId(value)
        case .value(.uuid(let value)): self = .uuid(value)
        case .list(let elements): self = .list(elements)
        case .set(let elements): self = .set(elements)
        case .dictionary(let members): self = .dictionary(members)
        case .value, .object: self = .other(content)
        }
    }

    var content: ObjectContent {
        switch self {
        case .null: .value(.null)
        case .int(let value): .value(.int(value))
        case .bool(let value): .value(.bool(value))
        case .string(let value): .value(.string(value))
        case .timestamp(let value): .value(.timestamp(value))
        case .double(let value): .value(.double(value))
        case .objectId(let value): .value(.objectId(value))
        case .uuid(let value): .value(.uuid(value))
        case .list(let elements): .list(elements)
        case .set(let elements): .set(elements)
        case .dictionary(let members): .dictionary(members)
        case .other(let content): content
        }
    }
}

extension ObjectRow: Sequence {
    struct Iterator: IteratorProtocol {
        fileprivate var few: IndexingIterator<[(slot: Text, content: PackedContent)]>
        fileprivate var many: [Text: ObjectContent].Iterator?

        mutating func next() -> ObjectRow.Entry? {
            if many != nil { return many?.next().map { ($0.key, $0.value) } }
            return few.next().map { ($0.slot, $0.content.content) }
        }
    }

    func makeIterator() -> Iterator {
        switch storage {
        case .few(let entries): Iterator(few: entries.makeIterator(), many: nil)
        case .many(let contents): Iterator(few: [].makeIterator(), many: contents.makeIterator())
        }
    }
}

extension ObjectRow: Equatable {
    static func == (a: ObjectRow, b: ObjectRow) -> Bool {
        a.count == b.count && a.allSatisfy { b[$0.slot] == $0.content }
    }
}
