// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport

struct DiffVerifier {
    typealias ModelTable = ModelDatabase.ModelTable

    let diff: VersionDiff
    let old: ModelDatabase
    let new: ModelDatabase
    private(set) var seen = Seen()

    struct Seen {
        var deletions = 0
        var insertions = 0
        var modifications = 0
        var lists = 0
        var sets = 0
        var dictionaries = 0
        var nested = 0

        static func += (a: inout Seen, b: Seen) {
            a.deletions += b.deletions
            a.insertions += b.insertions
            a.modifications += b.modifications
            a.lists += b.lists
            a.sets += b.sets
            a.dictionaries += b.dictionaries
            a.nested += b.nested
        }
    }

    init(_ diff: VersionDiff, _ old: ModelDatabase, _ new: ModelDatabase) {
        (self.diff, self.old, self.new) = (diff, old, new)
    }

    mutating func verify() throws {
        for key in Set(old.tables.keys).union(new.tables.keys).sorted() {
            let (before, after) = (old.tables[key], new.tables[key])
            try withTrace("table \(before?.name ?? after?.name ?? "")") {
                let expected = DiffVerifier.expected(before, after)
                try requireEqual(try diff.table(key), expected, "the diff")
                let byContent = try TableDiff(
                    from: try diff.old.table(key), to: try diff.new.table(key), isOneFile: false)
                try requireEqual(byContent, expected, "the diff without trust in refs")
                if !expected.isEmpty { try require(diff.changedTables.contains(key), "the table is not listed") }
                seen.deletions += expected.deletions.count
                seen.insertions += expected.insertions.count
                seen.modifications += expected.modifications.count
                if let before, let after { try verifyCollections(before, after, expected) }
            }
        }
        for key in diff.changedTables {
            try require(old.tables[key] != nil || new.tables[key] != nil, "a table that is in neither version")
        }
    }

    static func expected(_ old: ModelTable?, _ new: ModelTable?) -> TableDiff {
        var result = TableDiff()
        let (before, after) = (old?.objects ?? [:], new?.objects ?? [:])
        result.deletions = before.keys.filter { after[$0] == nil }.sorted()
        result.insertions = after.keys.filter { before[$0] == nil }.sorted()
        let columns = (new?.columns ?? []).map(\.key).filter { key in old?.columns.contains { $0.key == key } ?? false }
        for key in before.keys.sorted() {
            guard let a = before[key], let b = after[key] else { continue }
            let changed = columns.filter { !(a.values[$0] ?? .null).isIdentical(to: b.values[$0] ?? .null) }
            if !changed.isEmpty { result.modifications.append(ObjectModification(object: key, columns: changed)) }
        }
        return result
    }

    private mutating func verifyCollections(_ before: ModelTable, _ after: ModelTable, _ diff: TableDiff) throws {
        let step = before.objects.count > 200 ? 199 : 16
        for (index, key) in before.objects.keys.sorted().enumerated() {
            guard let a = before.objects[key], let b = after.objects[key] else { continue }
            let modified = diff.modification(of: key)?.columns ?? []
            for column in after.columns where before.columns.contains(where: { $0.key == column.key }) {
                guard modified.contains(column.key) || index % step == 0 else { continue }
                let path = CollectionPath(column.key, of: key, in: after.key)
                try withTrace("\(column.name) of \(key)") {
                    try verify(path, a.values[column.key] ?? .null, b.values[column.key] ?? .null)
                }
            }
        }
    }

    private mutating func verify(_ path: CollectionPath, _ a: ModelValue, _ b: ModelValue) throws {
        switch (a, b) {
        case (.list(let before), .list(let after)):
            seen.lists += 1
            try EditVerifier.verify(try diff.list(at: path), before, after, mayReplace: true)
        case (.set(let before), .set(let after)):
            seen.sets += 1
            try EditVerifier.verify(
                try diff.set(at: path), before.map { .value($0) }, after.map { .value($0) }, mayReplace: false)
        case (.dictionary(let before), .dictionary(let after)):
            seen.dictionaries += 1
            try EditVerifier.verify(try diff.dictionary(at: path), before, after)
        default: return
        }
        for step in a.nestedSteps {
            let inner = path.appending(step)
            guard let before = a.element(step), let after = b.element(step) else { continue }
            seen.nested += 1
            try verify(inner, before, after)
        }
    }
}

enum EditVerifier {
    static func verify(
        _ diff: CollectionDiff?, _ old: [ModelValue], _ new: [ModelValue], mayReplace: Bool, isMinimal: Bool = true
    ) throws {
        guard let diff else {
            return try require(ModelValue.list(old).isIdentical(to: .list(new)), "no diff of \(old) and \(new)")
        }
        try withTrace("\(diff) of \(old) and \(new)") {
            try require(!diff.isEmpty, "an empty diff")
            try require(mayReplace || diff.modifications.isEmpty, "a set with modifications")
            for positions in [diff.deletions, diff.insertions, diff.modifications, diff.newModifications] {
                try require(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }, "positions out of order")
            }
            let (gone, come) = (Set(diff.deletions), Set(diff.insertions))
            let kept = (old.indices.filter { !gone.contains($0) }, new.indices.filter { !come.contains($0) })
            try require(gone.isSubset(of: Set(old.indices)), "deletions of what was not there")
            try require(come.isSubset(of: Set(new.indices)), "insertions of what is not there")
            try requireEqual(kept.0.count, kept.1.count, "the number of elements left")
            var replaced: [Int] = []
            var newReplaced: [Int] = []
            let modified = Set(diff.modifications)
            for (i, j) in zip(kept.0, kept.1) {
                let isSame = old[i].isIdentical(to: new[j])
                if !isSame || !isMinimal && modified.contains(i) {
                    replaced.append(i)
                    newReplaced.append(j)
                }
            }
            try requireEqual(diff.modifications, replaced, "the modifications")
            try requireEqual(diff.newModifications, newReplaced, "the new places of the modifications")
        }
    }

    static func verify(
        _ diff: DictionaryDiff?, _ old: [ModelValue.Entry], _ new: [ModelValue.Entry]
    ) throws {
        var expected = DictionaryDiff()
        func value(_ key: String, _ entries: [ModelValue.Entry]) -> ModelValue? {
            entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
        }
        for entry in old {
            guard let after = value(entry.key, new) else {
                expected.deletions.append(entry.key)
                continue
            }
            if !entry.value.isIdentical(to: after) { expected.modifications.append(entry.key) }
        }
        expected.insertions = new.map(\.key).filter { value($0, old) == nil }
        try requireEqual(diff ?? DictionaryDiff(), expected, "the diff of the dictionary")
        try require(diff != nil || expected.isEmpty, "no diff")
    }
}

struct NestedDiffVerifier {
    private let old: Snapshot
    private let new: Snapshot
    private let diff: VersionDiff

    init(_ old: Snapshot, _ new: Snapshot) throws {
        (self.old, self.new) = (old, new)
        diff = try VersionDiff(from: old, to: new)
    }

    func verify(_ path: CollectionPath) throws {
        guard let before = try old.collectionIfPresent(path), let after = try new.collectionIfPresent(path) else {
            return
        }
        let values = (try ModelValue(before, in: old.space), try ModelValue(after, in: new.space))
        try withTrace("\(path.steps)") {
            switch values {
            case (.list(let before), .list(let after)):
                try EditVerifier.verify(
                    try diff.list(at: path), before, after, mayReplace: true, isMinimal: false)
            case (.dictionary(let before), .dictionary(let after)):
                try EditVerifier.verify(try diff.dictionary(at: path), before, after)
            default: return
            }
        }
        for step in values.0.nestedSteps { try verify(try old.stable(path.appending(step))) }
    }
}
