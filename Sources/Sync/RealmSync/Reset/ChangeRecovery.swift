// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// Reapplies the file's own changes to a fresh copy of the server's state, by the rules of §7.4. Objects created by
/// either stay, objects deleted by the server stay deleted, and the file's value of a property wins.
final class ChangeRecovery {
    private let fresh: WriteTransaction
    private let local: any TableSource
    private let applier: ChangesetApplier
    /// The recovery state of the objects' properties. `objects` lists the objects in the order of their first changes.
    private var places: [ObjectReference: [Text: RecoveredPlace]] = [:]
    private var objects: [ObjectReference] = []
    private var made: [Instruction] = []

    /// - Parameters:
    ///   - fresh: A transaction on the copy. It is never committed.
    ///   - local: The state after the file's own changes.
    init(on fresh: WriteTransaction, of local: any TableSource) {
        self.fresh = fresh
        self.local = local
        applier = ChangesetApplier(fresh)
    }

    /// Returns the recovered form of each change. The last one also contains the lists that are copied as a whole.
    ///
    /// - Throws: `ClientResetError` if a change can't be recovered.
    func recover(_ changesets: [Changeset]) throws -> [Changeset] {
        var recovered: [Changeset] = []
        for (index, changeset) in changesets.enumerated() {
            for instruction in changeset.instructions { try recover(instruction) }
            if index == changesets.count - 1 { try copyLists() }
            recovered.append(Changeset(made))
            made = []
        }
        try clearAsymmetricClasses()
        return recovered
    }

    /// Objects of asymmetric classes exist only on the server.
    private func clearAsymmetricClasses() throws {
        for key in try fresh.tableKeys() {
            if let table = try fresh.table(key), table.kind == .asymmetric { try fresh.clear(key) }
        }
    }

    private func recover(_ instruction: Instruction) throws {
        switch instruction {
        case .addTable, .addColumn, .createObject: try require(instruction)
        case .eraseTable, .eraseColumn:
            throw ClientResetError(.recovery, "'\(instruction)' cannot be reapplied to the server's state")
        case .eraseObject(let object):
            places[object] = nil
            if try isPresent(object) { try require(instruction) }
        case .change(let place, let change):
            if try isPresent(place.object) { try recover(change, at: place) }
        }
    }

    private func isPresent(_ object: ObjectReference) throws -> Bool {
        guard let table = try fresh.table(named: FileFormat.classPrefix + object.table.string),
            table.primaryKey != nil, let key = SyncNames.storedKey(object.key)
        else { return false }
        return try table.object(primaryKey: key) != nil
    }

    private func require(_ instruction: Instruction) throws {
        if let failure = try applier.refusal(of: instruction) {
            throw ClientResetError(
                .recovery, "'\(instruction)' cannot be reapplied to the server's state: \(failure.message)")
        }
        made.append(instruction)
    }

    private func make(_ change: Change, at place: Place) throws {
        let instruction = Instruction.change(place, change)
        if try applier.refusal(of: instruction) == nil { made.append(instruction) }
    }

    // MARK: Locations

    private struct Spot {
        var target: ChangesetApplier.Target
        var place: Place
        var known: RecoveredPlace
    }

    /// Returns the location, in the fresh state, of a property of an existing object or of a value inside it. Returns
    /// nil if the location doesn't exist, or if it's in a list that is copied as a whole. A change that can't be
    /// located in a list causes the list to be copied.
    private func spot(_ place: Place, _ elements: ArraySlice<PathElement>) throws -> Spot? {
        let start = Place(place.object, place.column)
        guard let target = try property(at: start) else { return nil }
        var spot = Spot(target: target, place: start, known: known(start))
        for element in elements {
            guard !spot.known.isCopied else { return nil }
            var fresh = element
            if case .index(let index) = element {
                guard try list(at: spot) != nil else { return nil }
                guard let element = spot.known.element(at: index) else {
                    spot.known.copy()
                    return nil
                }
                fresh = .index(element.freshIndex)
            }
            guard let next = try inside(spot.target, fresh, place) else { return nil }
            spot = Spot(target: next, place: spot.place.inside(fresh), known: inside(spot.known, element))
        }
        return spot
    }

    private func known(_ place: Place) -> RecoveredPlace {
        if let known = places[place.object]?[place.column] { return known }
        if places[place.object] == nil { objects.append(place.object) }
        let known = RecoveredPlace()
        places[place.object, default: [:]][place.column] = known
        return known
    }

    private func inside(_ known: RecoveredPlace, _ element: PathElement) -> RecoveredPlace {
        switch element {
        case .key(let key): known.member(key)
        case .index(let index): known.element(at: index)?.inside ?? RecoveredPlace()
        }
    }

    private func property(at place: Place) throws -> ChangesetApplier.Target? {
        do {
            return try applier.property(at: place)
        } catch let error as SessionError where error.code == .badChangeset {
            return nil
        }
    }

    private func inside(
        _ target: ChangesetApplier.Target, _ element: PathElement, _ place: Place
    ) throws -> ChangesetApplier.Target? {
        do {
            return try applier.inside(target, element, place)
        } catch let error as SessionError where error.code == .badChangeset {
            return nil
        }
    }

    private func collection(at spot: Spot) throws -> StoredCollection? {
        guard try applier.embedded(spot.target) == nil else { return nil }
        return try fresh.collectionIfPresent(spot.target.collectionPath)
    }

    private func list(at spot: Spot) throws -> BPlusTree? { try collection(at: spot)?.list }

    // MARK: Values

    private func isDead(_ value: SyncValue) throws -> Bool {
        guard case .link(let object) = value else { return false }
        return try !isPresent(object)
    }

    private func recover(_ change: Change, at place: Place) throws {
        let elements = place.path.elements
        if change.priorSize != nil, let index = place.path.lastIndex {
            guard let list = try spot(place, elements.dropLast()) else { return }
            return try recover(change, at: index, in: list)
        }
        guard let spot = try spot(place, elements[...]) else { return }
        switch change {
        case .update(let value, let isDefault): try update(spot, to: value, isDefault)
        case .addInteger:
            guard case .property(let table, let object, let column) = spot.target,
                case .int = try table.value(column.key, of: object)
            else { return }
            try make(change, at: spot.place)
        case .clear(let kind): try clear(spot, kind)
        case .setInsert(let value): if try !isDead(value) { try make(change, at: spot.place) }
        case .setErase: try make(change, at: spot.place)
        case .updateElement, .insert, .move, .erase: break
        }
    }

    private func update(_ spot: Spot, to value: SyncValue, _ isDefault: Bool) throws {
        var value = value
        switch value {
        case .erased:
            spot.known.reset()
            guard case .entry(let key, let path, _, _) = spot.target,
                try fresh.collection(path).dictionary?.find(key) != nil
            else { return }
        case .list, .dictionary:
            // An existing collection of this kind keeps its contents, and isn't recorded again (DESIGN,
            // "Synchronisation").
            guard try !isCollection(value, at: spot) else { return }
            spot.known.reset()
        case .object:
            // An existing object of a property is kept; that of a dictionary is replaced.
            let isKept = if case .property = spot.target { try applier.embedded(spot.target) != nil } else { false }
            if !isKept { spot.known.reset() }
        default:
            spot.known.reset()
            if try isDead(value) {
                if case .entry = spot.target, !spot.target.column.key.isNullable { return }
                value = .null
            }
        }
        try make(.update(value, isDefault: isDefault), at: spot.place)
    }

    private func isCollection(_ value: SyncValue, at spot: Spot) throws -> Bool {
        switch try collection(at: spot) {
        case .list?: value == .list
        case .dictionary?: value == .dictionary
        default: false
        }
    }

    private func clear(_ spot: Spot, _ kind: CollectionKind) throws {
        var kind = kind
        if kind == .single {
            // Clients before protocol 13 send `single`.
            switch try collection(at: spot) {
            case .list?: kind = .list
            case .dictionary?: kind = .dictionary
            case .set?: kind = .set
            case nil: return
            }
        }
        spot.known.reset()
        try make(.clear(kind), at: spot.place)
    }

    // MARK: Elements of lists

    private func recover(_ change: Change, at index: Int, in spot: Spot) throws {
        let known = spot.known
        guard !known.isCopied, let size = try list(at: spot)?.count else { return }
        if case .insert(let value, _) = change { return try insert(value, at: index, in: spot, size) }
        guard let element = known.element(at: index) else { return known.copy() }
        let place = spot.place.inside(.index(element.freshIndex))
        switch change {
        case .updateElement(let value, _): try update(element, to: value, in: spot, size)
        case .move(let target, _):
            guard let target = known.element(at: target) else { return known.copy() }
            known.move(element, to: target)
            try make(.move(to: target.freshIndex, priorSize: size), at: place)
        case .erase:
            known.erase(element)
            try make(.erase(priorSize: size), at: place)
        default: break
        }
    }

    private func insert(_ value: SyncValue, at index: Int, in spot: Spot, _ size: Int) throws {
        guard try !isDead(value) else { return spot.known.passInsertion(at: index) }
        let freshIndex = min(index, size)
        spot.known.insert(at: index, freshIndex: freshIndex)
        try make(.insert(value, priorSize: size), at: spot.place.inside(.index(freshIndex)))
    }

    private func update(
        _ element: RecoveredPlace.Element, to value: SyncValue, in spot: Spot, _ size: Int
    ) throws {
        let place = spot.place.inside(.index(element.freshIndex))
        var value = value
        switch value {
        // The existing embedded object is kept.
        case .object: return
        case .list, .dictionary:
            guard let target = try inside(spot.target, .index(element.freshIndex), place),
                try !isCollection(value, at: Spot(target: target, place: place, known: element.inside))
            else { return }
        default:
            if try isDead(value) {
                guard spot.target.column.key.isNullable else { return }
                value = .null
            }
        }
        element.inside.reset()
        try make(.updateElement(value, priorSize: size), at: place)
    }

    // MARK: Whole lists

    private func copyLists() throws {
        for object in objects {
            guard let properties = places[object] else { continue }
            for (name, known) in properties.sorted(by: { $0.key < $1.key }) {
                let place = Place(object, name)
                try copyLists(known, from: place, to: place)
            }
        }
    }

    private func copyLists(_ known: RecoveredPlace, from place: Place, to freshPlace: Place) throws {
        if known.isCopied { return try copyList(from: place, to: freshPlace) }
        for (key, member) in known.members.sorted(by: { $0.key < $1.key }) {
            try copyLists(member, from: place.inside(.key(key)), to: freshPlace.inside(.key(key)))
        }
        for element in known.elements {
            try copyLists(
                element.inside, from: place.inside(.index(element.index)),
                to: freshPlace.inside(.index(element.freshIndex)))
        }
    }

    private func copyList(from place: Place, to freshPlace: Place) throws {
        guard let list = try ContentReader(local).content(at: place),
            let old = try ContentReader(fresh).content(at: freshPlace), case .list = list, case .list = old
        else { return }
        let new = try withoutDeadLinks(list)
        for case .change(let place, let change) in ContentDifference.instructions(from: old, to: new, at: freshPlace) {
            try make(change, at: place)
        }
    }

    /// Replaces links to objects that don't exist in the fresh state: null in properties and dictionaries, nothing in
    /// lists and sets.
    private func withoutDeadLinks(_ content: Content) throws -> Content {
        switch content {
        case .value(let value):
            let isDead = try isDead(value)
            return isDead ? .value(.null) : content
        case .list(let elements, let isNested):
            var kept: [Content] = []
            for element in elements where try !isDeadLink(element) { kept.append(try withoutDeadLinks(element)) }
            return .list(kept, isNested: isNested)
        case .set(let members):
            var kept: Set<SyncValue> = []
            for member in members where try !isDead(member) { kept.insert(member) }
            return .set(kept)
        case .dictionary(let members, let isNested):
            let kept = try withoutDeadLinks(members)
            return .dictionary(kept, isNested: isNested)
        case .object(let members):
            let kept = try withoutDeadLinks(members)
            return .object(kept)
        }
    }

    private func withoutDeadLinks(_ members: [Text: Content]) throws -> [Text: Content] {
        var kept: [Text: Content] = [:]
        for (key, member) in members { kept[key] = try withoutDeadLinks(member) }
        return kept
    }

    private func isDeadLink(_ content: Content) throws -> Bool {
        if case .value(let value) = content { try isDead(value) } else { false }
    }
}
