// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The layout of an encrypted file (container 9.2 to 9.4).
///
/// ```
/// | entries 0…63 | page 0 | … | page 63 | entries 64…127 | page 64 | …
/// ```
///
/// The data space, the only part visible to the rest of the engine, consists of the pages without the entries.
package enum EncryptedLayout {
    package static let pageByteCount = 4096
    package static let entryByteCount = 64
    package static let blockPageCount = 64
    /// Offsets within an entry.
    package static let counter = 0
    package static let tag = 4
    package static let previousCounter = 32
    package static let previousTag = 36
    package static let smallestFileByteCount = 2 * pageByteCount

    package static func offset(ofPage page: Int) -> Int { (page + page / blockPageCount + 1) * pageByteCount }

    package static func offset(ofBlock block: Int) -> Int { block * (blockPageCount + 1) * pageByteCount }

    package static func offset(ofEntry page: Int) -> Int {
        offset(ofBlock: page / blockPageCount) + page % blockPageCount * entryByteCount
    }

    /// The size of the data space of a file of `fileByteCount` bytes (container 9.3). An interrupted extension may have
    /// left a partial page at the end.
    package static func dataByteCount(fileByteCount: Int) -> Int {
        let pages = fileByteCount / pageByteCount
        let blocks = (pages + blockPageCount) / (blockPageCount + 1)
        return (pages - blocks) * pageByteCount
    }

    /// The size of a file with room for `dataByteCount` bytes of data (container 9.3).
    package static func fileByteCount(dataByteCount: Int) -> Int {
        let pages = pageCount(dataByteCount: dataByteCount)
        return (pages + pages / blockPageCount + 1) * pageByteCount
    }

    package static func pageCount(dataByteCount: Int) -> Int { (dataByteCount + pageByteCount - 1) / pageByteCount }

    /// The initialisation vector, unique for each page and each of its contents.
    package static func vector(counter: UInt32, page: Int) -> PageVector {
        let offset = UInt64(page) * UInt64(pageByteCount)
        return PageVector(low: UInt64(counter) | offset << 32, high: offset >> 32)
    }
}

/// The authentication of one content of a page: the counter used for its encryption, and its code.
struct PageSeal: Equatable, Sendable {
    var counter: UInt32
    var tag: PageTag

    static let none = PageSeal(counter: 0, tag: .none)

    /// Identifies a version of a page's content. Every counter is used once. The tag distinguishes contents written
    /// after the file was truncated and extended again.
    var stamp: LazyPages.Stamp { LazyPages.Stamp(counter: UInt64(counter), tag: tag.words.0) }
}

extension LazyPages.Stamp {
    /// The stamp of a content without a seal. Not equal to that of any entry.
    static let unsealed = LazyPages.Stamp(counter: .max, tag: 0)
}

/// The entry of a page: the seal of the content written last, or about to be written, and that of the previous content.
struct PageEntry: Equatable, Sendable {
    var newest: PageSeal
    var previous: PageSeal

    static let none = PageEntry(newest: .none, previous: .none)

    /// Whether a page that doesn't match the newest seal counts as never written.
    var isSingle: Bool { previous.counter == 0 }

    init(newest: PageSeal, previous: PageSeal) {
        self.newest = newest
        self.previous = previous
    }

    init(_ bytes: UnsafeRawBufferPointer) {
        typealias Layout = EncryptedLayout
        precondition(bytes.count == Layout.entryByteCount)
        func seal(_ counter: Int, _ tag: Int) -> PageSeal {
            let number = unsafe bytes.loadUnaligned(fromByteOffset: counter, as: UInt32.self)
            return PageSeal(
                counter: UInt32(littleEndian: number),
                tag: unsafe PageTag(UnsafeRawBufferPointer(rebasing: bytes[tag...])))
        }
        newest = seal(Layout.counter, Layout.tag)
        previous = seal(Layout.previousCounter, Layout.previousTag)
    }

    func store(to bytes: UnsafeMutableRawBufferPointer) {
        typealias Layout = EncryptedLayout
        precondition(bytes.count == Layout.entryByteCount)
        for (seal, counter, tag) in [
            (newest, Layout.counter, Layout.tag), (previous, Layout.previousCounter, Layout.previousTag),
        ] {
            unsafe bytes.storeBytes(of: seal.counter.littleEndian, toByteOffset: counter, as: UInt32.self)
            unsafe seal.tag.store(to: UnsafeMutableRawBufferPointer(rebasing: bytes[tag...]))
        }
    }
}

struct EntryPage {
    private(set) var bytes: [UInt8]

    init() { bytes = Array(repeating: 0, count: EncryptedLayout.pageByteCount) }

    /// Reads the block's entries as far as the file extends; the rest were never written.
    init(_ file: any DatabaseFile, block: Int) throws {
        self.init()
        let offset = EncryptedLayout.offset(ofBlock: block)
        let count = min(max(try file.size() - offset, 0), bytes.count)
        if count > 0 {
            unsafe try bytes.withUnsafeMutableBytes { buffer in
                unsafe try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
            }
        }
    }

    subscript(page: Int) -> PageEntry {
        get { unsafe bytes.withUnsafeBytes { unsafe PageEntry(.init(rebasing: $0[EntryPage.range(page)])) } }
        set {
            unsafe bytes.withUnsafeMutableBytes {
                unsafe newValue.store(to: .init(rebasing: $0[EntryPage.range(page)]))
            }
        }
    }

    static func range(_ page: Int) -> Range<Int> {
        let start = page % EncryptedLayout.blockPageCount * EncryptedLayout.entryByteCount
        return start..<start + EncryptedLayout.entryByteCount
    }
}
