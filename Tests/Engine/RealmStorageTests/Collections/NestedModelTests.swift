// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import TestTraits
import Testing

@testable import RealmStorage

/// Random changes of deeply nested collections.
@Suite(.scope(TestCleanup.perform)) struct NestedModelTests {
    @Test(arguments: ["any", "mixed list?", "mixed dictionary?"]) func deepCollections(_ name: String) throws {
        var run = try DeepRun(name)
        try run.run(commits: Settings.isContinuousIntegration ? 60 : 12, steps: 80)
        #expect(run.deepest >= 15)
    }
}

private struct DeepRun {
    private let bench: CollectionFixture
    private let name: String
    private var generator: SeededGenerator
    private var model: ModelValue
    private(set) var deepest = 0
    private var previous: Snapshot?

    init(_ name: String) throws {
        bench = try CollectionFixture()
        self.name = name
        generator = SeededGenerator(for: "deep collections in \(name)")
        model = try bench.value(name, in: try bench.test.database.snapshot())
    }

    mutating func run(commits: Int, steps: Int) throws {
        for commit in 0..<commits {
            let transaction = try bench.test.database.beginWrite()
            if commit % 2 == 0 { transaction.store.treeCapacity = 4 }
            for step in 0..<steps {
                try withTrace("commit \(commit), step \(step)") { try change(transaction, isGrowing: commit % 4 != 3) }
                deepest = max(deepest, model.depth)
            }
            try transaction.commit()
            let snapshot = try bench.test.database.snapshot()
            let stored = try bench.value(name, in: snapshot)
            try require(stored.isIdentical(to: model), "\(stored), should be \(model)")
            for index in 0..<3 {
                let links = model.leaves.count { $0 == bench.link(index) }
                try requireEqual(try bench.backlinkCount(index, in: snapshot), links, "the backlinks of \(index)")
            }
            try previous.map { try NestedDiffVerifier($0, snapshot).verify(bench.path(name)) }
            previous = snapshot
            try bench.test.audit()
            if commit % 6 == 0 { try PythonChecker.requireClean(path: bench.test.path) }
        }
        previous = nil
    }

    private mutating func nextStep(_ value: ModelValue) -> CollectionPath.Step? {
        let steps = value.nestedSteps
        if generator.chance(10) { return steps.randomElement(using: &generator) }
        return steps.max { value.element($0)?.depth ?? 0 < value.element($1)?.depth ?? 0 }
    }

    private mutating func change(_ transaction: WriteTransaction, isGrowing: Bool) throws {
        var path = bench.path(name)
        guard model.isCollection else {
            try transaction.setCollection(.list, at: path)
            model = .list([])
            return
        }
        // Usually descends to the deepest level.
        var value = model
        while generator.chance(97), let step = nextStep(value) {
            path.steps.append(step)
            value = value.element(step) ?? .null
        }
        let steps = path.steps[...]
        if generator.chance(30) { path = try transaction.stable(path) }
        let element = generator.chance(30) ? bench.link(generator.below(3)) : .int(Int64(generator.below(100)))
        let goesDeeper = path.level < 100 && generator.chance(isGrowing ? 60 : 20)
        if case .list(let elements) = value {
            let index = generator.below(elements.count + 1)
            if goesDeeper {
                let kind = generator.pick([NestedKind.list, .dictionary])
                try transaction.list(at: path).insertCollection(kind, at: index)
                model.change(at: steps) { $0.changeList { $0.insert(.empty(kind), at: index) } }
            } else if index < elements.count, generator.chance(isGrowing ? 10 : 50) {
                try transaction.list(at: path).erase(at: index)
                model.change(at: steps) { $0.changeList { $0.remove(at: index) } }
            } else if index < elements.count, generator.chance(50) {
                try transaction.list(at: path).move(from: index, to: 0)
                model.change(at: steps) { $0.changeList { $0.insert($0.remove(at: index), at: 0) } }
            } else {
                try transaction.list(at: path).insert(element, at: index)
                model.change(at: steps) { $0.changeList { $0.insert(.value(element), at: index) } }
            }
        } else {
            let key = "key \(generator.below(8))"
            if goesDeeper {
                let kind = generator.pick([NestedKind.list, .dictionary])
                try transaction.setCollection(kind, at: path.appending(.key(key)))
                model.change(at: steps) {
                    if $0.element(.key(key))?.isKind(kind) != true { $0.setEntry(key, .empty(kind)) }
                }
            } else if generator.chance(isGrowing ? 10 : 50) {
                try transaction.dictionary(at: path).erase(key)
                model.change(at: steps) { $0.eraseEntry(key) }
            } else {
                try transaction.dictionary(at: path).set(element, forKey: key)
                model.change(at: steps) { $0.setEntry(key, .value(element)) }
            }
        }
    }
}
