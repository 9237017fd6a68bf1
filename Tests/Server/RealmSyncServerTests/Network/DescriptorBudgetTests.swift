// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Testing

    @testable import RealmSyncServer

    @Suite struct DescriptorBudgetTests {
        @Test(arguments: [1024, 4096, 20_000, 1 << 20]) func theBudgetReservesDescriptorsForLogs(_ limit: Int) {
            let budget = DescriptorBudget(limit: limit, connections: 10_000, threads: 4)
            #expect(budget.connections + budget.openLogs + 112 <= limit)
            #expect(budget.openLogs >= 128 && budget.connections > limit / 2 || budget.connections == 10_000)
            let limits = budget.limits(perPeer: 200)
            #expect(limits.admitted < limits.all && limits.admitted >= limits.all - limits.all / 8)
        }

        @Test func aTinyLimitLeavesSomeConnections() {
            let budget = DescriptorBudget(limit: 64, connections: 10_000, threads: 2)
            #expect(budget.connections == 8 && budget.openLogs == 8)
        }
    }
#endif
