// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmTestSupport
    import Testing

    @testable import RealmSyncServer

    @Suite struct VersionIndexTests {
        /// Compared with a search of all versions.
        @Test(arguments: 1...4) func theVersionsOfQueriesAreFound(seed: UInt64) {
            var generator = SeededGenerator(seed: seed)
            var index = VersionIndex()
            var known: [(version: UInt64, queries: Set<UInt64>, hasSchema: Bool)] = []
            var base: UInt64 = 0
            for version in UInt64(1)...400 {
                let queries = Set((0..<generator.below(3)).map { _ in UInt64(generator.below(10)) })
                let hasSchema = generator.below(20) == 0
                var views = ViewChanges()
                for query in queries { views.members[query] = ViewChanges.Members(after: NumberSet(words: [1])) }
                index.add(version, queries.isEmpty ? nil : views, hasSchema: hasSchema)
                known.append((version, queries, hasSchema))
                if generator.below(50) == 0 {
                    base += UInt64(generator.below(Int(version - base) + 1))
                    index.trim(through: base)
                }
                let wanted = Set((0..<generator.below(4)).map { _ in UInt64(generator.below(12)) })
                let start = base + 1 + UInt64(generator.below(Int(version - base) + 1))
                let range = start...start + UInt64(generator.below(100))
                let expected = known.filter {
                    range.contains($0.version) && ($0.hasSchema || !$0.queries.isDisjoint(with: wanted))
                }
                #expect(index.versions(of: wanted, in: range) == expected.map(\.version), "seed \(seed)")
            }
        }
    }
#endif
