// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The pages of an encrypted file whose content is not needed, while a commit fills them anew.
struct FreshlyFreedPages {
    /// Ascending, and apart from each other.
    private var pages: [Range<Int>] = []
    /// These, and the pages that are not needed if they are spoiled.
    private var spoilable: [Range<Int>] = []
    /// Those of `pages` that were taken.
    private var taken: Set<Int> = []
    private var lastTaken: Int?

    init() {}

    /// The pages that lie as a whole within these ranges of the data space. See `DatabaseFile.disuse`.
    init(_ parts: [Range<Int>], doubtful: [Range<Int>]) {
        pages = FreshlyFreedPages.pages(within: parts)
        spoilable = doubtful.isEmpty ? pages : FreshlyFreedPages.pages(within: parts + doubtful)
    }

    private static func pages(within parts: [Range<Int>]) -> [Range<Int>] {
        let byteCount = EncryptedLayout.pageByteCount
        var merged: [Range<Int>] = []
        for part in parts.ordered(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, last.upperBound >= part.lowerBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, part.upperBound)
            } else {
                merged.append(part)
            }
        }
        return merged.compactMap { part in
            let (first, end) = ((part.lowerBound + byteCount - 1) / byteCount, part.upperBound / byteCount)
            return first < end ? first..<end : nil
        }
    }

    /// Whether what `page` holds is not needed; from then on it is needed, because it will hold what is written to it.
    mutating func take(_ page: Int) -> Bool {
        guard pages.holds(page), taken.insert(page).inserted else { return false }
        lastTaken = page
        return true
    }

    /// Up to `count` pages before `end` that are not needed and were not written to: first what lies behind the page
    /// that was taken last, so that the disk has one piece to write.
    func spares(_ count: Int, before end: Int) -> [Int] {
        var result: [Int] = []
        if let lastTaken, isSpare(lastTaken + 1), lastTaken + 1 < end { result.append(lastTaken + 1) }
        for part in pages {
            for page in part {
                guard page < end, result.count < count else { return result }
                if !taken.contains(page), page != result.first { result.append(page) }
            }
        }
        return result
    }

    private func isSpare(_ page: Int) -> Bool { pages.holds(page) && !taken.contains(page) }

    /// Where the pages begin that are not needed however far the file grows; nil if there is no such place.
    var openStart: Int? {
        guard let last = pages.last, last.upperBound == Int.max / EncryptedLayout.pageByteCount else { return nil }
        return last.lowerBound
    }

    /// Whether the page is not needed if it is spoiled.
    func mayBeSpoiled(_ page: Int) -> Bool { spoilable.holds(page) && !taken.contains(page) }
}

extension [Range<Int>] {
    /// Whether one of the ranges, which ascend, contains `number`.
    fileprivate func holds(_ number: Int) -> Bool {
        let index = partitioningIndex { $0.upperBound > number }
        return index < count && self[index].contains(number)
    }
}
