// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The sections of one version of some elements in order: their keys, and the positions of the elements of each.
struct SectionLayout<Key: Hashable> {
    /// In the order in which they first occur.
    private(set) var keys: [Key] = []
    private var rows: [SectionRows] = []
    private var numbers: [Key: Int] = [:]

    /// Adds the element at the next position.
    mutating func append(_ key: Key, at position: Int) {
        // Mostly the elements of a section stand together.
        if let last = keys.last, last == key { return rows[rows.count - 1].append(position) }
        if let number = numbers[key] { return rows[number].append(position) }
        numbers[key] = keys.count
        keys.append(key)
        rows.append(SectionRows(position))
    }

    /// The section with a key; nil if there is none.
    func number(of key: Key) -> Int? { numbers[key] }

    /// The positions of the elements of a section.
    func rows(of number: Int) -> SectionRows { rows[number] }
}

/// The positions, ascending, of the elements of a section among all elements.
struct SectionRows: RandomAccessCollection {
    /// All positions, if they follow each other.
    private var range: Range<Int>
    /// All positions otherwise.
    private var scattered: [Int]?

    init(_ position: Int) { range = position..<position + 1 }

    mutating func append(_ position: Int) {
        if scattered != nil {
            scattered?.append(position)
        } else if position == range.upperBound {
            range = range.lowerBound..<position + 1
        } else {
            scattered = Array(range) + [position]
        }
    }

    var startIndex: Int { 0 }
    var endIndex: Int { scattered?.count ?? range.count }
    subscript(index: Int) -> Int { scattered?[index] ?? range.lowerBound + index }
}
