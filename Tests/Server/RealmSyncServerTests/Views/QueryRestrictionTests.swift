// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmQuery
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    @Suite(.timeLimited) struct QueryRestrictionTests {
        private static func restriction(_ text: String) throws -> QueryRestriction? {
            QueryRestriction(try SubscriptionQuery("Note", parsing: text).predicate)
        }

        @Test(
            arguments: [
                ("n == 5", [5], true), ("n IN {1, 2}", [1, 2], true),
                ("n == 1 OR n == 2 OR n IN {2, 3}", [1, 2, 2, 3], true),
                ("n == 1 AND tags.@count > 2", [1], false), ("n > 1 AND n IN {1, 2, 3}", [2, 3], true),
                ("(n == 1 AND a > 3) OR (n == 2 AND a < 3)", [1, 2], false),
                ("n IN {1, 2} AND n == 2 AND n > 0", [2], true),
                ("n == 1 AND n == 2", [], true), ("n IN {}", [], true),
            ] as [(String, [Int64], Bool)])
        func equalityRestrictsAQueryToValues(_ text: String, _ values: [Int64], _ isExact: Bool) throws {
            let restriction = try #require(try Self.restriction(text))
            #expect(restriction.isExact == isExact)
            #expect(restriction.terms.allSatisfy { $0.field == "n" && $0.family == .number })
            #expect(restriction.terms.map(\.interval).sorted() == values.map { ValueInterval(only: .int($0)) })
        }

        @Test(arguments: [
            ("n > 5", ValueInterval(.after(.int(5)), .end)), ("5 >= n", ValueInterval(.start, .after(.int(5)))),
            ("n >= 2 AND n < 7", ValueInterval(.before(.int(2)), .before(.int(7)))),
            ("n BETWEEN {1, 2.5}", ValueInterval(.before(.int(1)), .after(.double(2.5)))),
            ("n BEGINSWITH 'ab'", ValueInterval(.before(.binary([97, 98])), .before(.binary([97, 99])))),
            ("n < T3:0", ValueInterval(.start, .before(.timestamp(Timestamp(seconds: 3, nanoseconds: 0))))),
        ])
        func orderRestrictsAQueryToAnInterval(_ text: String, _ interval: ValueInterval) throws {
            let restriction = try #require(try Self.restriction(text))
            #expect(restriction.isExact && restriction.terms.map(\.interval) == [interval])
        }

        @Test func theNarrowestPartOfAConjunctionRestrictsIt() throws {
            for text in ["a > 1 AND n == 3", "n == 3 AND a BETWEEN {1, 2}", "a IN {1, 2} AND n == 3"] {
                let restriction = try #require(try Self.restriction(text))
                #expect(restriction.terms.map(\.field) == ["n"] && !restriction.isExact)
            }
            let other = try #require(try Self.restriction("a == 2 OR name BEGINSWITH 'x'"))
            #expect(other.terms.map(\.field) == ["a", "name"] && other.isExact)
        }

        @Test(arguments: [
            "TRUEPREDICATE", "NOT n == 5", "n != 5", "n == 1 OR a != 2", "n == NULL", "n <= NULL", "n > NaN",
            "n IN {1, NULL}", "name ==[c] 'a'", "name BEGINSWITH[c] 'a'", "name BEGINSWITH ''", "name LIKE 'a*'",
            "ALL tags == 'a'", "home.city == 'a'", "tags.@count == 1", "n == a", "n == true", "n > decimal(1)",
            "n BETWEEN {1, 'a'}",
        ])
        func otherQueriesHaveNoRestriction(_ text: String) throws {
            #expect(try Self.restriction(text) == nil)
        }

        @Test func anIndexHasTheIntervalsThatContainAValue() {
            var random = SeededGenerator(for: "anIndexHasTheIntervalsThatContainAValue")
            var index = IntervalIndex()
            var known: [(id: UInt64, interval: ValueInterval)] = []
            for id in 0..<UInt64(2000) {
                if random.chance(40), !known.isEmpty {
                    let removed = known.remove(at: random.below(known.count))
                    index.remove(removed.id, removed.interval)
                } else {
                    func cut() -> ValueCut {
                        let value = StoredValue.int(Int64(random.below(50)))
                        return random.pick([ValueCut.start, .before(value), .after(value), .end])
                    }
                    let cuts = [cut(), cut()].sorted()
                    known.append((id, ValueInterval(cuts[0], cuts[1])))
                    index.insert(id, ValueInterval(cuts[0], cuts[1]))
                }
                let value = StoredValue.int(Int64(random.below(50)))
                var found: Set<UInt64> = []
                index.forEach(containing: value) { found.formUnion($0) }
                let expected = known.filter { $0.interval.low <= .before(value) && .after(value) <= $0.interval.high }
                #expect(found == Set(expected.map(\.id)))
                #expect(index.isEmpty == known.isEmpty)
            }
            var all: Set<UInt64> = []
            index.forEach { all.formUnion($0) }
            #expect(all == Set(known.map(\.id)))
        }
    }
#endif
