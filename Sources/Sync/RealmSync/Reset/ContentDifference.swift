// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The instructions that change one content into another. Equal parts are left unchanged. In a list, those are the
/// longest equal prefix and suffix.
struct ContentDifference {
    private(set) var instructions: [Instruction] = []

    /// - Parameter old: The previous content; nil for a new object, whose values are unknown and whose collections are
    ///   empty.
    static func instructions(from old: Content?, to new: Content, at place: Place) -> [Instruction] {
        var difference = ContentDifference()
        difference.change(old, new, place)
        return difference.instructions
    }

    private mutating func emit(_ change: Change, _ place: Place) { instructions.append(.change(place, change)) }

    private mutating func put(_ value: SyncValue, _ place: Place, _ size: Int?) {
        emit(size.map { .updateElement(value, priorSize: $0) } ?? .update(value, isDefault: false), place)
    }

    private mutating func change(_ old: Content?, _ new: Content, _ place: Place, size: Int? = nil) {
        guard old != new else { return }
        switch (old, new) {
        case (_, .value(let value)): put(value, place, size)
        case (.object(let old)?, .object): changeInside(.object(old), new, place)
        case (_, .object):
            put(.object, place, size)
            changeInside(nil, new, place)
        case (.list(_, true)?, .list(_, true)), (.dictionary(_, true)?, .dictionary(_, true)):
            changeInside(old, new, place)
        case (_, .list(_, true)), (_, .dictionary(_, true)):
            put(new.kind, place, size)
            changeInside(nil, new, place)
        default: changeInside(old, new, place)
        }
    }

    /// Requires contents of the same kind, or that the old one was just created.
    private mutating func changeInside(_ old: Content?, _ new: Content, _ place: Place) {
        switch new {
        case .value: break
        case .object(let members):
            var before: [Text: Content] = [:]
            if case .object(let members)? = old { before = members }
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                change(before[name], member, place.inside(.key(name)))
            }
        case .list(let elements, _):
            if case .list(let before, _)? = old {
                changeList(before, elements, place)
            } else {
                changeList([], elements, place)
            }
        case .set(let members):
            if case .set(let before)? = old {
                changeSet(before, members, place)
            } else {
                changeSet([], members, place)
            }
        case .dictionary(let members, _):
            if case .dictionary(let before, _)? = old {
                changeDictionary(before, members, place)
            } else {
                changeDictionary([:], members, place)
            }
        }
    }

    // MARK: Collections

    private mutating func changeList(_ old: [Content], _ new: [Content], _ place: Place) {
        let before = zip(old, new).prefix { $0 == $1 }.count
        let behind = zip(old[before...].reversed(), new[before...].reversed()).prefix { $0 == $1 }.count
        let kept = min(old.count, new.count) - behind
        var size = old.count
        for index in before..<kept { change(old[index], new[index], place.inside(.index(index)), size: size) }
        for index in (kept..<old.count - behind).reversed() {
            emit(.erase(priorSize: size), place.inside(.index(index)))
            size -= 1
        }
        for index in kept..<new.count - behind {
            insert(new[index], place.inside(.index(index)), size)
            size += 1
        }
    }

    private mutating func insert(_ content: Content, _ place: Place, _ size: Int) {
        if case .value(let value) = content { return emit(.insert(value, priorSize: size), place) }
        emit(.insert(content.kind, priorSize: size), place)
        changeInside(nil, content, place)
    }

    private mutating func changeSet(_ old: Set<SyncValue>, _ new: Set<SyncValue>, _ place: Place) {
        // Erase first: values that differ here may be equal in a set, for example 5 and 5.0.
        for value in ContentDifference.ordered(old.subtracting(new)) { emit(.setErase(value), place) }
        for value in ContentDifference.ordered(new.subtracting(old)) { emit(.setInsert(value), place) }
    }

    /// Returns the members in an arbitrary but deterministic order.
    private static func ordered(_ members: Set<SyncValue>) -> [SyncValue] {
        members.map { ("\($0)", $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private mutating func changeDictionary(_ old: [Text: Content], _ new: [Text: Content], _ place: Place) {
        for key in old.keys.sorted() where new[key] == nil {
            emit(.update(.erased, isDefault: false), place.inside(.key(key)))
        }
        for (key, member) in new.sorted(by: { $0.key < $1.key }) {
            change(old[key], member, place.inside(.key(key)))
        }
    }
}

extension Content {
    fileprivate var kind: SyncValue {
        switch self {
        case .value(let value): value
        case .list: .list
        case .set: .set
        case .dictionary: .dictionary
        case .object: .object
        }
    }
}
