// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// Random predicates on random databases compared with the naive evaluator. REGNUM_SEED repeats a failure,
/// REGNUM_QUERIES sets the number of queries. `Scripts/fuzz` runs more of them, optimised.
@Suite struct DifferentialTests {
    @Test func randomPredicates() throws {
        let seed = SeededGenerator(for: "DifferentialTests").seed
        let wanted = Settings.number("REGNUM_QUERIES") ?? 1_500
        var tested = 0
        var round: UInt64 = 0
        while tested < wanted {
            tested += try run(seed &+ round &* 0x1_0001)
            round += 1
        }
    }

    private func run(_ seed: UInt64) throws -> Int {
        var random = SeededGenerator(seed: seed)
        let model = try ModelDatabase(&random)
        var predicates = RandomPredicates(model: model, random: random)
        predicates.isQueryLanguage = !seed.isMultiple(of: 3)
        var tested = 0
        for index in model.classes.indices {
            // The naive evaluator is slow on tables of many objects.
            for _ in 0..<(model.classes[index].keys.count > 100 ? 15 : 60) {
                let predicate = predicates.predicate(index)
                try compare(predicate, model, index, seed)
                tested += 1
            }
        }
        return tested
    }

    private func compare(_ predicate: Predicate, _ model: ModelDatabase, _ index: Int, _ seed: UInt64) throws {
        let owner = model.classes[index]
        let naive = NaiveEvaluator(model: model)
        let expected = owner.keys.filter { naive.matches(predicate, $0, index) }
        let source = model.snapshot
        let query: Query
        do {
            query = try Query.compile(predicate, on: owner.table, in: source, names: model.names)
        } catch {
            Issue.record("seed \(seed), \(owner.name): \(predicate)\n\(error)")
            return
        }
        let found = try query.objects(in: source)
        let count = try query.count(in: source)
        let first = try query.first(in: source)
        // Filtering single objects uses other code than a scan.
        let filtered = try query.filter(owner.keys.reversed(), in: source)
        // Forced plans use indexes and links that the planner avoids for small tables.
        var forced = query
        forced.plannerOptions.alwaysUsesAccess = true
        forced.plannerOptions.samplingThreshold = 0
        var parallel = query
        parallel.plannerOptions.threads = 3
        (parallel.plannerOptions.minRowsForThreads, parallel.plannerOptions.minCostForThreads) = (0, 0)
        parallel.plannerOptions.leavesPerPiece = 1
        let together = try parallel.objects(in: source)
        let indexed = try forced.objects(in: source)
        guard found == expected, count == expected.count, first == expected.first, filtered == expected.reversed(),
            indexed == expected, together == expected, try parallel.count(in: source) == expected.count,
            try forced.count(in: source) == expected.count
        else {
            let plan = try query.explain(in: source) + "\n" + forced.explain(in: source)
            let message: Comment = """
                seed \(seed), \(owner.name): \(predicate)
                \(plan)
                found \(found)
                not \(expected)
                count \(count), first \(String(describing: first)), filtered \(filtered), indexed \(indexed), together \(together)
                """
            Issue.record(message)
            return
        }
        let text = predicate.description
        let parsed = try Predicate(parsing: text, dialect: .query)
        let mayDiffer = seed.isMultiple(of: 3) || text.lowercased().contains("nan")
        if parsed.description != text || parsed != predicate && !mayDiffer {
            Issue.record("seed \(seed): \(text) reads as \(parsed)")
        }
    }
}
