// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmSystem

@Suite struct LazyPagesTests {
    /// Fills pages with the current generation, and records their indexes. Confined to the test's thread.
    private final class NumberedPages: PageSource, @unchecked Sendable {
        var generation: UInt64 = 1
        private(set) var filled: [Int] = []

        func fill(_ page: Int, of pages: LazyPages) throws {
            let bytes = [UInt8](repeating: UInt8(generation), count: LazyPages.pageByteCount)
            bytes.withUnsafeBytes { pages.store(page, $0) }
            pages.note(page, LazyPages.Stamp(counter: generation, tag: 0), generation: generation)
            filled.append(page)
        }

        func takeFilled() -> [Int] {
            defer { filled = [] }
            return filled
        }
    }

    /// The model is the generation in which each page was last filled.
    @Test func randomReadsMatchAModel() throws {
        var generator = SeededGenerator(for: "lazy pages")
        let (source, pageCount) = (NumberedPages(), 16)
        let mapping = try FileMapping(
            pagesOf: source, generation: 1, path: "", fileWindow: pageCount * 4096, slabWindow: 4096)
        let pages = try #require(mapping.pages)
        var model = [UInt64](repeating: 0, count: pageCount)
        for _ in 0..<3000 {
            if generator.chance(5) {
                source.generation += 1
                pages.begin(generation: source.generation)
            }
            if generator.chance(5) {
                let first = generator.below(pageCount)
                pages.forget(from: first, to: pageCount)
                for page in first..<pageCount { model[page] = 0 }
            }
            let offset = generator.below(pageCount * 4096)
            let byteCount = 1 + generator.below(min(generator.pick([8, 300, 20_000]), pageCount * 4096 - offset))
            let needed = (offset / 4096...(offset + byteCount - 1) / 4096).filter { model[$0] < source.generation }
            try require(pages.holds(offset, byteCount) == needed.isEmpty, "whether it may be read")
            if generator.chance(70) {
                try pages.require(offset, byteCount)
                try requireEqual(source.takeFilled(), needed, "what was filled")
                for page in needed { model[page] = source.generation }
                try require(pages.holds(offset, byteCount), "what was required may be read")
                let read = UnsafeRawBufferPointer(start: mapping.base + offset, count: byteCount)
                try require(
                    read.enumerated().allSatisfy { UInt64($1) == model[(offset + $0) / 4096] & 0xFF }, "what is read")
            }
        }
    }
}
