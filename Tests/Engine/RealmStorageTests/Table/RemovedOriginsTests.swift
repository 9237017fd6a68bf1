// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

@Suite struct RemovedOriginsTests {
    /// The entries are ascending, descending, and in random order, with several links of one origin.
    @Test(arguments: 0..<3) func entriesAreMatchedAsByADictionary(_ order: Int) throws {
        var generator = SeededGenerator(for: "entries in order \(order)")
        for _ in 0..<500 {
            let range = UInt64(generator.pick([1, 3, 10, 100]))
            func keys(_ limit: Int) -> [ObjectKey] {
                (0..<generator.below(limit)).map { _ in ObjectKey(Int64(generator.next() % range)) }
            }
            let origins = keys(30)
            var entries = keys(60)
            if order < 2 { entries.sort { order == 0 ? $0 < $1 : $0 > $1 } }
            var removed = RemovedOrigins(origins)
            var model = Dictionary(origins.map { ($0, 1) }, uniquingKeysWith: +)
            for entry in entries {
                let isRemoved = model[entry, default: 0] > 0
                if isRemoved { model[entry, default: 0] -= 1 }
                try requireEqual(removed.match(entry), isRemoved, "\(entry) of \(origins) among \(entries)")
            }
            try requireEqual(removed.unmatched, model.filter { $0.value > 0 }.keys.min(), "the origins left")
        }
    }
}
