// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// All links and backlinks of the file, for a comparison at the end (content 12.1).
///
/// A page has the links of one origin column into one target table, in the order of the audit. Sorting both sides at
/// the end is faster, and needs less memory, than a dictionary.
struct LinkBook {
    struct Entry {
        let target: Int64
        let origin: Int64
        var count: Int

        static func precedes(_ a: Entry, _ b: Entry) -> Bool {
            a.target == b.target ? a.origin < b.origin : a.target < b.target
        }
    }

    final class Page {
        let origin: Audit.Table
        let column: Audit.Column
        let target: Audit.Table
        var forward: [Entry] = []
        var backward: [Entry] = []
        /// Whether a column couldn't be read, which makes the comparison meaningless.
        var isUnsure = false

        init(_ origin: Audit.Table, _ column: Audit.Column, _ target: Audit.Table) {
            self.origin = origin
            self.column = column
            self.target = target
        }
    }

    private struct PageName: Hashable {
        let originSlot: Int
        let column: UInt64
        let targetSlot: Int
    }

    private var pagesByName: [PageName: Int] = [:]
    private(set) var pages: [Page] = []
    private var last: Page?
    /// Whether any column of any table couldn't be read.
    var hasUnsure = false

    mutating func page(_ origin: Audit.Table, _ column: Audit.Column, _ target: Audit.Table) -> Page {
        if let last, last.column === column, last.target === target { return last }
        let name = PageName(originSlot: origin.slot, column: column.key.rawValue, targetSlot: target.slot)
        if let known = pagesByName[name] {
            last = pages[known]
            return pages[known]
        }
        let page = Page(origin, column, target)
        pagesByName[name] = pages.count
        pages.append(page)
        last = page
        return page
    }

    static func summed(_ entries: [Entry]) -> [Entry] {
        var result: [Entry] = []
        for entry in entries.ordered(by: Entry.precedes) {
            if let last = result.last, last.target == entry.target, last.origin == entry.origin {
                result[result.count - 1].count += entry.count
            } else {
                result.append(entry)
            }
        }
        return result
    }
}

extension LinkBook.Page {
    /// Returns links that one side has more often than the other. A positive count means more links than backlinks.
    func differences(limit: Int) -> [LinkBook.Entry] {
        let links = LinkBook.summed(forward)
        let backlinks = LinkBook.summed(backward)
        var found: [LinkBook.Entry] = []
        var (i, j) = (0, 0)
        while (i < links.count || j < backlinks.count) && found.count < limit {
            if j == backlinks.count || i < links.count && LinkBook.Entry.precedes(links[i], backlinks[j]) {
                found.append(links[i])
                i += 1
            } else if i == links.count || LinkBook.Entry.precedes(backlinks[j], links[i]) {
                var entry = backlinks[j]
                entry.count = -entry.count
                found.append(entry)
                j += 1
            } else {
                var entry = links[i]
                entry.count -= backlinks[j].count
                if entry.count != 0 { found.append(entry) }
                i += 1
                j += 1
            }
        }
        return found
    }
}
