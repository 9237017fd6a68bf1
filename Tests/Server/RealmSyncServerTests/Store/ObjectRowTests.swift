// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import Testing

    @testable import RealmSyncServer

    /// Rows of few and of many properties, compared with dictionaries.
    @Suite struct ObjectRowTests {
        private typealias Content = ObjectContent

        private let contents: [Content] = [
            .value(.null), .value(.int(-7)), .value(.bool(true)), .value(.string("text")), .value(.binary([1, 2])),
            .value(.timestamp(Timestamp(seconds: 5, nanoseconds: 6))), .value(.float(1.5)), .value(.double(-0.0)),
            .value(.decimal(.one)), .value(.link(ObjectReference("C", .int(1)))),
            .value(.objectId(ObjectIdBytes(high: 1, low: 2))), .value(.uuid(UUIDBytes(bytes: Array(0..<16)))),
            .list(PositionTree([.value(.int(1)), .value(.null)])), .set([.int(1), .string("a")]),
            .dictionary(["k": .value(.int(1))]), .object("E", ["n": .value(.int(3))]),
        ]

        @Test(arguments: [3, 40]) func aRowIsADictionary(of slotCount: Int) {
            var generator = SeededGenerator(seed: UInt64(slotCount))
            var (row, model): (ObjectRow, [Text: Content]) = ([:], [:])
            for step in 0..<4_000 {
                let slot = Text("slot \(generator.below(slotCount))")
                if generator.below(3) == 0 {
                    #expect(row.removeValue(forKey: slot) == model.removeValue(forKey: slot), "step \(step)")
                } else {
                    let content = contents[generator.below(contents.count)]
                    (row[slot], model[slot]) = (content, content)
                    #expect(row[slot] == content, "step \(step)")
                }
                guard step % 50 == 0 else { continue }
                #expect(row.count == model.count)
                #expect(Dictionary(uniqueKeysWithValues: row.map { ($0.slot, $0.content) }) == model, "step \(step)")
                var reversed: ObjectRow = [:]
                for (slot, content) in row.reversed() { reversed[slot] = content }
                #expect(reversed == row)
                reversed["another"] = .value(.null)
                #expect(reversed != row)
            }
        }
    }
#endif
