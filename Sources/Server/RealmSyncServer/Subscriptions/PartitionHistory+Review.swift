// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

extension PartitionHistory {
    /// Merges a change of a file, rejects writes outside its view, and adds a version with the rest. If writes are
    /// reverted in the file, later versions do that, which only the file receives.
    ///
    /// - Returns: The records, which must become durable together. Empty if the change was already integrated.
    /// - Throws: `MergeError`, `StateError`, `SessionError`, `StorageError`. Then the history is unchanged.
    mutating func integrate(
        _ change: UploadedChange, from ident: UInt64, _ next: NextVersion, _ documents: QueryDocuments,
        _ rights: UserRights, _ budget: inout MergeBudget
    ) throws -> [StoreRecord] {
        guard var file = files[ident], !file.isExpired else {
            throw StateError("the client file \(ident) is unknown or expired")
        }
        guard change.clientVersion > file.upload.clientVersion else { return [] }
        var changed: Set<UInt64> = []
        let losses = try file.losses(of: change)
        var replaced: [ObjectReference: ReplacedObject] = [:]
        let merged = try merge([change], into: &file, &changed, &replaced, &budget)
        let forms = file.forms.filter { changed.contains($0.key) }.mapValues { $0.encoded() }
        try merged[0].requireAdditive()
        let discarded = try discardedObjects(of: change.changeset, replaced)
        let former = formerPartition(change.migratedPartition)
        let added = partitionUpdates(for: merged[0], former)
        let write = Changeset(merged[0].instructions + added)
        var review = WriteReview(write, discarded: discarded, file.views.last, registry, rights)
        review.former = former
        try review.run(&state, documents)
        var version = record(
            change, review.accepted, SaltedVersion(version: newest.version + 1, salt: next.salt))
        version.forms = forms
        var records = losses
        if !review.views.isEmpty { records.append(.views(review.views)) }
        records.append(.version(version))
        let own = review.changesOfFile(after: Changeset(added), change.clientVersion)
        for (number, change) in zip((version.version.version + 1)..., own) {
            records += [.fileChange(ident, number, change), .version(emptyVersion(number, next))]
        }
        markState(through: version.version.version)
        files[ident]?.forms = file.forms
        for record in records { try apply(record) }
        return records
    }

    /// Adds a version of the server. Its objects can be outside of all views.
    ///
    /// - Parameters:
    ///   - bytes: The encoded change.
    ///   - rights: The rights of the user who makes the change.
    /// - Returns: The records, which must become durable together.
    /// - Throws: `WriteRefusal`, `StateError`, `StorageError`. Then the history is unchanged.
    mutating func add(
        _ change: Changeset, _ bytes: [UInt8], _ next: NextVersion, _ documents: QueryDocuments, _ rights: UserRights
    ) throws -> [StoreRecord] {
        var review = WriteReview(change, nil, registry, rights, isOfFile: false)
        try review.run(&state, documents)
        let version = ownVersion(newest.version + 1, next, bytes)
        let records: [StoreRecord] = (review.views.isEmpty ? [] : [.views(review.views)]) + [.version(version)]
        markState(through: version.version.version)
        for record in records { try apply(record) }
        return records
    }
}

/// A change of documents that the user may not make.
struct WriteRefusal: Error {
    let reason: String
}

extension PartitionHistory {
    /// Returns the objects of an upload whose changes the merge has discarded and for which the client needs a report,
    /// in the order of the upload. An object that doesn't exist any more was erased, which always wins, unless the
    /// client created it and the server rejected it.
    private func discardedObjects(
        of changeset: Changeset, _ replaced: [ObjectReference: ReplacedObject]
    ) throws -> [ObjectReference] {
        guard !replaced.isEmpty else { return [] }
        var last: [ObjectReference: Instruction] = [:]
        for instruction in changeset.instructions { instruction.object.map { last[$0] = instruction } }
        return try changeset.objects.filter { object in
            guard let reason = replaced[object] else { return false }
            if try state.holds(object) { return true }
            return reason.isReverted && last[object] != .eraseObject(object)
        }
    }
}

extension Changeset {
    /// - Throws: `SessionError`. Views can't follow the removal of classes and properties.
    fileprivate func requireAdditive() throws(SessionError) {
        for instruction in instructions {
            switch instruction {
            case .eraseTable, .eraseColumn:
                throw SessionError(.badSchemaChange, "a client can't remove classes and properties: \(instruction)")
            default: break
            }
        }
    }
}

/// The decision about the objects of a write, and the effect of the write on the results of queries (§5.5).
///
/// The user must have the right to each instruction on an object, and to the object before and after the write. An
/// object that exists must be in the file's view before the write, a new one after it. So a write can move an object
/// out of the view; the file then receives an erasure. Changes of an object that has left the view since, or that the
/// file is sent again, are discarded by the merge. They are rejected here, so that the client gets a report.
private struct WriteReview {
    private let write: Changeset
    private let objects: [ObjectReference]
    /// The objects whose changes the merge has discarded.
    private let discarded: Set<ObjectReference>
    private let view: FileView?
    /// Otherwise the server makes the write, for all views and as a whole.
    private let isOfFile: Bool
    private let rights: UserRights
    private let registry: QueryRegistry
    /// Its objects of classes without a subscription belong to the view.
    var former: FormerPartition?
    private var formerBefore = NumberSet()
    private var formerAfter = NumberSet()
    private var existed: [Bool] = []
    /// The objects in the results of the queries that can have any of them.
    private var before: [UInt64: NumberSet] = [:]
    private var after: [UInt64: NumberSet] = [:]
    private var rejected: [Int: String] = [:]

    private(set) var accepted = Changeset()
    private(set) var views = ViewChanges()
    /// The instructions that only the file receives: those that erase objects, and then those that restore them.
    private var erasures: [Instruction] = []
    private var restorations: [ObjectReference: [Instruction]] = [:]

    private static let outside = "object is outside of the current query view"
    private static let replaced = "the server has replaced the object since"
    private static let notWritable = "the user can't write the object"

    init(
        _ write: Changeset, discarded: [ObjectReference] = [], _ view: FileView?, _ registry: QueryRegistry,
        _ rights: UserRights, isOfFile: Bool = true
    ) {
        (self.write, self.view, self.rights, self.isOfFile) = (write, view, rights, isOfFile)
        self.discarded = Set(discarded)
        var objects = write.objects
        if !discarded.isEmpty {
            let written = Set(objects)
            objects += discarded.filter { !written.contains($0) }
        }
        (self.objects, self.registry) = (objects, registry)
    }

    /// Applies the accepted part to the state and the documents.
    ///
    /// - Throws: `StateError`, `SessionError`, `StorageError`, `WriteRefusal`. Then the state is unchanged.
    mutating func run(_ state: inout PartitionObjects, _ documents: QueryDocuments) throws {
        existed = try objects.map { try state.holds($0) }
        formerBefore = try formerMembers(state)
        let located = try documents.locate(objects, state)
        before = try results(located, documents)
        for number in objects.indices where isOfFile && existed[number] && !wasInView(number) {
            rejected[number] = WriteReview.outside
        }
        if !discarded.isEmpty {
            for number in objects.indices where rejected[number] == nil && discarded.contains(objects[number]) {
                rejected[number] = WriteReview.replaced
            }
        }
        rejectInstructions()
        for number in try unwritable(objects.indices.filter { existed[$0] }, located, documents) {
            rejectUnwritable(number)
        }
        try requireWhole()
        accepted = write.without(rejectedObjects)
        try state.begin(accepted)
        do {
            try documents.apply(accepted)
            try evaluate(located, state, documents)
            try rejectResults(&state, documents)
            try describe(state)
        } catch {
            if error is WriteRefusal { documents.rollBack() } else { documents.invalidate() }
            state.takeBack()
            throw error
        }
        state.confirm()
    }

    var rejectedObjects: Set<ObjectReference> { Set(rejected.keys.map { objects[$0] }) }

    private func wasInView(_ number: Int) -> Bool { isInView(number, before) || formerBefore.contains(number) }
    private func isInView(_ number: Int) -> Bool { isInView(number, after) || formerAfter.contains(number) }

    private func isInView(_ number: Int, _ members: [UInt64: NumberSet]) -> Bool {
        view?.queries[objects[number].table].flatMap { members[$0] }?.contains(number) == true
    }

    private func formerMembers(_ state: PartitionObjects) throws -> NumberSet {
        var members = NumberSet()
        guard let former, let view else { return members }
        for (number, object) in objects.enumerated() where view.queries[object.table] == nil {
            if try former.holds(object, in: state) { members.insert(number) }
        }
        return members
    }

    private mutating func evaluate(
        _ located: QueryDocuments.Located, _ state: PartitionObjects, _ documents: QueryDocuments
    ) throws {
        formerAfter = try formerMembers(state)
        let change = AcceptedChange(accepted, of: objects)
        after = try results(try documents.locate(objects, state), documents, change)
        for id in before.keys where after[id] == nil { after[id] = NumberSet() }
    }

    /// Returns the objects in the results of the queries that can have any of them.
    ///
    /// - Parameter change: The change that the located objects include, or `nil` before it. A query on other properties
    ///   retains its results, except for created and erased objects.
    private func results(
        _ located: QueryDocuments.Located, _ documents: QueryDocuments, _ change: AcceptedChange? = nil
    ) throws -> [UInt64: NumberSet] {
        var results: [UInt64: NumberSet] = [:]
        for (name, objects) in located {
            let matches = try registry.matches(of: name, objects.numbers) {
                try documents.values($0, of: name, objects)
            }
            results.merge(matches.results) { $1 }
            for (id, candidates) in matches.candidates {
                guard let query = registry.queries[id] else { continue }
                guard let change, !change.concerns(query) else {
                    results[id] = try documents.matches(query, among: candidates, in: located)
                    continue
                }
                let moved = candidates.intersection(change.moved)
                var members = candidates.intersection(before[id] ?? NumberSet()).subtracting(moved)
                if !moved.isEmpty { members.formUnion(try documents.matches(query, among: moved, in: located)) }
                results[id] = members
            }
        }
        return results
    }

    /// Rejects new objects that the view doesn't contain, and objects that the user can't write after the write.
    private mutating func rejectResults(_ state: inout PartitionObjects, _ documents: QueryDocuments) throws {
        let remaining = try objects.indices.filter { try rejected[$0] == nil && state.holds(objects[$0]) }
        let outside = remaining.filter { isOfFile && !existed[$0] && !isInView($0) }
        let unwritable = try unwritable(remaining, try documents.locate(objects, state), documents)
        guard !outside.isEmpty || !unwritable.isEmpty else { return }
        for number in outside { rejected[number] = WriteReview.outside }
        for number in unwritable { rejectUnwritable(number) }
        try requireWhole()
        accepted = write.without(rejectedObjects)
        state.takeBack()
        let undone = Set(outside).union(unwritable).sorted().map { objects[$0] }
        let restored = try state.creations(of: undone.filter { try state.holds($0) }).joined()
        try documents.apply(Changeset(undone.map { .eraseObject($0) } + restored))
        try state.begin(accepted)
    }

    // MARK: Rights

    private func unwritable(
        _ numbers: [Int], _ located: @autoclosure () throws -> QueryDocuments.Located, _ documents: QueryDocuments
    ) throws -> [Int] {
        if rights == .unrestricted { return [] }
        let located = try located()
        var writable = NumberSet()
        for name in located.keys {
            writable.formUnion(try documents.matches(rights[name].write, of: name, in: located))
        }
        return numbers.filter { !writable.contains($0) }
    }

    /// The writes of the server aren't accepted in part. All earlier ones must be committed.
    private func requireWhole() throws {
        if !isOfFile, let report = reports.first { throw WriteRefusal(reason: report.reason) }
    }

    private mutating func rejectUnwritable(_ number: Int) {
        if rejected[number] == nil { rejected[number] = WriteReview.notWritable }
    }

    /// Rejects the objects with instructions to which the user doesn't have the right.
    private mutating func rejectInstructions() {
        if rights == .unrestricted { return }
        let numbers = Dictionary(uniqueKeysWithValues: zip(objects, objects.indices))
        for instruction in write.instructions {
            guard let object = instruction.object, let number = numbers[object], rejected[number] == nil,
                let reason = refusal(of: instruction, number)
            else { continue }
            rejected[number] = reason
        }
    }

    private func refusal(of instruction: Instruction, _ number: Int) -> String? {
        switch instruction {
        case .createObject(let object) where !existed[number] && !rights[object.table].canInsert:
            "the user can't create objects of the class"
        case .eraseObject(let object) where existed[number] && !rights[object.table].canDelete:
            "the user can't delete objects of the class"
        case .change(let place, _) where !rights[place.object.table].writableFields.contains(place.column):
            "the user can't change the property '\(place.column.short)'"
        default: nil
        }
    }

    // MARK: Results

    private mutating func describe(_ state: PartitionObjects) throws {
        // The numbers of objects that remain after the rejection.
        var remaining: [Int]?
        if !rejected.isEmpty {
            var next = 0
            remaining = objects.indices.map { index in
                defer { if rejected[index] == nil { next += 1 } }
                return rejected[index] == nil ? next : -1
            }
        }
        var entered = NumberSet()
        for (id, isNow) in after {
            let was = before[id] ?? NumberSet()
            entered.formUnion(isNow.subtracting(was))
            let members = ViewChanges.Members(before: was.renumbered(remaining), after: isNow.renumbered(remaining))
            if !members.isEmpty { views.members[id] = members }
        }
        let moved = entered.numbers.filter { existed[$0] && rejected[$0] == nil }
        let creations = try state.creations(of: moved.map { objects[$0] })
        for (number, creation) in zip(moved, creations) { views.states[remaining?[number] ?? number] = creation }
        for number in objects.indices {
            let hasLeft = existed[number] && wasInView(number) && !isInView(number)
            if try rejected[number] != nil || hasLeft && state.holds(objects[number]) {
                erasures.append(.eraseObject(objects[number]))
            }
        }
        let restored = rejected.keys.sorted().filter { existed[$0] && wasInView($0) }.map { objects[$0] }
        for (object, creation) in zip(restored, try state.creations(of: restored)) {
            restorations[object] = creation.filter { view?.shows($0) != false }
        }
    }

    /// A report of more objects would be a message that is too long for clients.
    private static let maxReported = 1000

    /// Returns the changes that revert the rejected writes in the file, each with a limited number of reports.
    ///
    /// - Parameter added: The instructions that the server has added to the write.
    func changesOfFile(after added: Changeset, _ clientVersion: UInt64) -> [FileChange] {
        let first = erasures + added.without(rejectedObjects).instructions
        let reports = reports
        if reports.isEmpty, first.isEmpty { return [] }
        return stride(from: 0, to: max(reports.count, 1), by: WriteReview.maxReported).map { start in
            let part = reports[start..<min(start + WriteReview.maxReported, reports.count)]
            let restored = part.flatMap { restorations[$0.object] ?? [] }
            return FileChange(
                changeset: Changeset((start == 0 ? first : []) + restored), isBootstrap: false,
                clientVersion: clientVersion, rejected: Array(part))
        }
    }

    private var reports: [ServerError.Rejection.Update] {
        rejected.sorted { $0.key < $1.key }.map { number, reason in
            ServerError.Rejection.Update(
                reason: "write to '\(objects[number].key)' in table '\(objects[number].table)' not allowed; \(reason)",
                object: objects[number])
        }
    }
}

/// The objects and properties of the accepted part of a write.
private struct AcceptedChange {
    /// The numbers of the objects that are created or erased, perhaps both.
    private(set) var moved = NumberSet()
    private var fields: [Text: Set<Text>] = [:]

    init(_ change: Changeset, of objects: [ObjectReference]) {
        var movedObjects: Set<ObjectReference> = []
        for instruction in change.instructions {
            switch instruction {
            case .createObject(let object), .eraseObject(let object): movedObjects.insert(object)
            case .change(let place, _): fields[place.object.table, default: []].insert(place.column)
            case .addColumn(let column): fields[column.column.table, default: []].insert(column.column.name)
            case .eraseColumn(let column): fields[column.table, default: []].insert(column.name)
            case .addTable, .eraseTable: break
            }
        }
        for (number, object) in objects.enumerated() where movedObjects.contains(object) { moved.insert(number) }
    }

    func concerns(_ query: QueryRegistry.Query) -> Bool {
        fields[query.className].map { !query.fields.isDisjoint(with: $0) } ?? false
    }
}
