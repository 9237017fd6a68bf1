// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The pages of an encrypted file whose content isn't needed, while a commit writes to them.
struct FreshlyFreedPages {
    /// Ascending, with gaps between them.
    private var pages: [Range<Int>] = []
    /// `pages`, and the pages that aren't needed if they are spoiled.
    private var spoilable: [Range<Int>] = []
    /// The pages that the commit writes to.
    private var taken: Set<Int> = []
    private var lastTaken: Int?

    init() {}

    /// Creates the set of pages that are completely within these ranges of the data space. See
    /// `DatabaseFile.discardUnused`.
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

    /// Removes a page and returns `true` if its content isn't needed. Afterwards it's needed, because it will be
    /// written to.
    mutating func take(_ page: Int) -> Bool {
        guard pages.holds(page), taken.insert(page).inserted else { return false }
        lastTaken = page
        return true
    }

    /// Up to `count` pages before `end` that aren't needed and weren't written to. The page after the last taken one is
    /// first, so that the disk writes one contiguous range.
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

    /// The first page of the unbounded free range at the end of the data space; nil without such a range.
    var openStart: Int? {
        guard let last = pages.last, last.upperBound == Int.max / EncryptedLayout.pageByteCount else { return nil }
        return last.lowerBound
    }

    func mayBeSpoiled(_ page: Int) -> Bool { spoilable.holds(page) && !taken.contains(page) }
}

extension [Range<Int>] {
    /// The ranges must be ascending.
    fileprivate func holds(_ number: Int) -> Bool {
        let index = partitioningIndex { $0.upperBound > number }
        return index < count && self[index].contains(number)
    }
}
