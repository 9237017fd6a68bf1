// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

@Suite struct UnsignedTests {
    /// Offsets that grow and shrink, in place and in new nodes, compared with an array.
    @Test func adjustment() throws {
        var generator = SeededGenerator(for: "adjusted offsets")
        for round in 0..<200 {
            let scratch = try ScratchStore()
            var step = UInt64(1) << UInt64(generator.below(40))
            var model = (0..<1 + generator.below(70)).map { UInt64($0) * step }
            var ref = try scratch.store.create(unsigned: model)
            if round % 2 == 0 { try scratch.commit(&ref) }
            for _ in 0..<40 {
                step = UInt64(1) << UInt64(generator.below(34))
                let start = generator.below(model.count + 1)
                let isLess = generator.chance(40) && start > 0 && start < model.count && model[start] >= step
                let delta = isLess ? -Int64(step) : Int64(step)
                for index in start..<model.count { model[index] &+= UInt64(bitPattern: delta) }
                try scratch.store.adjustUnsigned(&ref, from: start, by: delta)
                let node = try scratch.space.node(ref)
                #expect((0..<node.count).map { node.unsigned($0) } == model)
                model.sort()
                try scratch.store.free(ref)
                ref = try scratch.store.create(unsigned: model)
                if generator.chance(10) { try scratch.commit(&ref) }
            }
        }
    }
}
