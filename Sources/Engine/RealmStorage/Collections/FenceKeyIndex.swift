// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Locates the leaf of an element in a tree of ascending elements.
///
/// Branches contain no elements (container 4.2), so a search without fence keys reads the first element of about ten
/// leaves, and waits for memory each time. The index has the beginning of every leaf as a word of eight bytes, in
/// contiguous memory: for a million elements the words fit into the processor's first-level cache.
///
/// Valid as long as every change of the tree is reported (`changed`). It is built only after as many searches without
/// it as pay for its construction. Confined to one thread.
package final class FenceKeyIndex {
    /// `end` is the number of leaves up to the last one below the branch.
    private struct Branch {
        var node: Node
        var end: Int
    }

    @exclusivity(unchecked) private var isReady = false
    /// The word of each leaf's first element. The word of the first leaf is unused.
    @exclusivity(unchecked) private var words: [UInt64] = []
    /// The common prefix of the first elements of all leaves except the first, if they are texts. Their words begin
    /// after it.
    @exclusivity(unchecked) private var prefix = CommonPrefix([])
    /// The root, if it's a branch above leaves, or its children. Empty if the root is a leaf.
    @exclusivity(unchecked) private var branches: [Branch] = []
    /// The root, if it's a branch above branches. Deeper trees have no fence keys.
    @exclusivity(unchecked) private var top: Node?
    @exclusivity(unchecked) private var searchCount = 0
    @exclusivity(unchecked) private var known: DictionaryLeafCache?
    /// The number of changes to the elements and to the values of a dictionary.
    @exclusivity(unchecked) private var changeCount: UInt64 = 1

    package init() {}

    /// Discards the index. Call this after a change that `changed` doesn't cover.
    func forget() {
        unsafe isReady = false
        unsafe known = nil
    }

    /// Call this after elements were inserted or removed, and after values of a dictionary changed.
    @inline(__always)
    func elementsChanged() { unsafe changeCount &+= 1 }

    // MARK: Searching

    /// Returns `nil` if the fence keys can't locate the element.
    ///
    /// `companion` is the root of a tree with mostly the same leaf lengths. Its leaf at the same index is prefetched.
    func place(of sought: some RankedElement, in tree: BPlusTree, companion: Ref = 0) throws -> LeafPosition? {
        guard unsafe isReady || prepare(for: tree) else { return nil }
        let number = try number(of: sought, unsafe sought.rank(behind: prefix), in: tree)
        return try place(of: sought, number, in: tree, companion: companion)
    }

    func entry(of key: TextLookup, in keys: BPlusTree, _ values: BPlusTree) throws -> LookupResult? {
        guard unsafe isReady || prepare(for: keys) else { return nil }
        let rank = unsafe key.rank(behind: prefix)
        let number = try number(of: key, rank, in: keys)
        if let known = unsafe known,
            let entry = unsafe try known.entry(of: key, rank.number, in: number, changeCount, keys.space)
        {
            return entry
        }
        let place = try place(of: key, number, in: keys, companion: values.root)
        guard place.isFound else { return .absent }
        let (leaf, row) = try values.row(place.index, near: place)
        let values = try leaf.mixed
        // A damaged leaf is reported by its next read.
        try? note(place, values, row)
        return .present(values, row: row)
    }

    @inline(never)
    private func note(_ place: LeafPosition, _ values: MixedLeaf, _ row: Int) throws {
        let known = unsafe self.known ?? DictionaryLeafCache(leafCount: words.count)
        unsafe self.known = known
        unsafe try known.note(place, changeCount, values, row) { row in
            let bytes = try BytesLeaf.value(values.space, place.leaf, .string, row, joining: false)
            return unsafe bytes.span.map { unsafe TextLookup($0).rank(behind: prefix).number } ?? 0
        }
    }

    @inline(__always)
    private func place(
        of sought: some RankedElement, _ number: Int, in tree: BPlusTree, companion: Ref
    ) throws -> LeafPosition {
        let (parent, grandparent) = steps(to: number)
        let ref = try parent.map { try $0.branch.child($0.child + 1) } ?? tree.root
        tree.space.prefetch(ref)
        let beside = companion == 0 ? 0 : fetchAhead(companion, parent, grandparent, in: tree.space)
        var start = 0
        if let grandparent { start += try grandparent.offset(in: tree.space) }
        if let parent { start += try parent.offset(in: tree.space) }
        let leaf = try BPlusTree.leaf(tree.space, tree.space.node(ref), tree.kind)
        guard start + leaf.count <= tree.count else {
            throw StorageError.corrupt("list offsets out of order", at: ref)
        }
        let (row, isFound) = try sought.place(in: leaf)
        if beside != 0 { fetchAhead(beside, row, in: tree.space) }
        return LeafPosition(
            number: number, parent: parent, grandparent: grandparent, leaf: leaf.node, count: leaf.count, start: start,
            row: row, isFound: isFound)
    }

    @inline(__always)
    private func number(of sought: some RankedElement, _ rank: FenceKey, in tree: BPlusTree) throws -> Int {
        let count = unsafe words.count
        guard count > 1 else { return 0 }
        switch rank {
        case .below: return 0
        case .above: return count - 1
        case .word(let word, let isWhole):
            let last = SortedSearch.prefix(of: count - 1) { unsafe words[$0 &+ 1] <= word }
            guard !isWhole, last > 0, unsafe words[last] == word else { return last }
            // The leaves with an equal word that aren't greater precede those that are.
            var first = last
            while first > 1, unsafe words[first - 1] == word { first -= 1 }
            return try first - 1
                + SortedSearch.prefix(of: last - first + 1) {
                    try !sought.isBelow(tree.space, leaf(first + $0, in: tree.space), tree.kind)
                }
        }
    }

    /// Returns the root of the leaf, or 0 if it doesn't exist.
    private func fetchAhead(_ root: Ref, _ parent: TreeStep?, _ grandparent: TreeStep?, in space: NodeSpace) -> Ref {
        var ref = root
        for case let step? in [grandparent, parent] {
            guard let node = space.nodeOrNil(ref), step.child + 1 < node.count else { return 0 }
            ref = Ref(element: node[step.child + 1])
        }
        space.prefetch(ref)
        return ref
    }

    /// Most descriptors have four bytes.
    private func fetchAhead(_ leaf: Ref, _ row: Int, in space: NodeSpace) {
        guard let node = space.nodeOrNil(leaf), MixedLeaf.mayBegin(at: node) else { return }
        let descriptors = Ref(element: node[FileFormat.Mixed.descriptors])
        space.prefetch(descriptors)
        space.prefetch(descriptors, 8 &+ row &* 4)
    }

    private func steps(to number: Int) -> (parent: TreeStep?, grandparent: TreeStep?) {
        guard unsafe !branches.isEmpty else { return (nil, nil) }
        let index = branch(of: number)
        let start = unsafe index == 0 ? 0 : branches[index - 1].end
        let parent = unsafe TreeStep(branch: branches[index].node, child: number - start)
        return (parent, unsafe top.map { TreeStep(branch: $0, child: index) })
    }

    private func branch(of number: Int) -> Int {
        var index = 0
        while unsafe branches[index].end <= number { index += 1 }
        return index
    }

    private func leaf(_ number: Int, in space: NodeSpace) throws -> Node {
        guard let parent = steps(to: number).parent else { throw ColumnLeaf.noRow(0) }
        return try space.node(parent.branch.child(parent.child + 1))
    }

    // MARK: Creation

    /// Reads all leaves, but not before the searches without fence keys, which read some leaves each, have cost as
    /// much.
    @inline(never)
    private func prepare(for tree: BPlusTree) -> Bool {
        unsafe searchCount += 1
        guard tree.root != 0, unsafe searchCount > tree.count >> 12 else { return false }
        unsafe searchCount = 0
        unsafe isReady = (try? make(for: tree)) ?? false
        return unsafe isReady
    }

    private func make(for tree: BPlusTree) throws -> Bool {
        unsafe (words, prefix, branches, top) = ([0], CommonPrefix([]), [], nil)
        let root = try tree.space.node(tree.root)
        guard root.header.isInner else { return true }
        if try tree.space.node(root.child(1)).header.isInner {
            unsafe top = root
            for child in 1..<max(root.count - 1, 1) {
                guard try add(tree.space.node(root.child(child)), of: tree) else { return false }
            }
        } else {
            guard try add(root, of: tree) else { return false }
        }
        return try unsafe readWords(0..<(branches.last?.end ?? 0), of: tree)
    }

    /// Returns `false` if the node isn't a branch, or if there would be more leaves than elements.
    private func add(_ branch: Node, of tree: BPlusTree) throws -> Bool {
        let end = unsafe (branches.last?.end ?? 0) + branch.count - 2
        guard branch.header.isInner, branch.count > 2, end <= tree.count else { return false }
        unsafe branches.append(Branch(node: branch, end: end))
        return true
    }

    private func readWords(_ numbers: Range<Int>, of tree: BPlusTree) throws -> Bool {
        if tree.kind == .string { try findPrefix(numbers.count, of: tree) }
        unsafe words = Array(repeating: 0, count: numbers.count)
        for number in numbers {
            guard try readWord(number, of: tree) else { return false }
        }
        return true
    }

    /// The texts are sorted, so the common prefix of the first and the last text is common to all.
    private func findPrefix(_ count: Int, of tree: BPlusTree) throws {
        guard count > 1 else { return }
        let (first, last) = (try text(1, of: tree), try text(count - 1, of: tree))
        var common = Array(zip(first, last).prefix { $0 == $1 }.map(\.0))
        // With only one leaf after the first, the last bytes of its text must remain for the word.
        if count == 2 { common.removeLast(min(common.count, 8)) }
        unsafe prefix = CommonPrefix(common)
    }

    private func text(_ number: Int, of tree: BPlusTree) throws -> [UInt8] {
        let leaf = try BPlusTree.leaf(tree.space, leaf(number, in: tree.space), tree.kind)
        return try unsafe leaf.withStringBytes(at: 0) { unsafe $0.map { unsafe Array($0) } ?? [] }
    }

    /// Returns `false` if the leaf has no text, or one without the common prefix.
    private func readWord(_ number: Int, of tree: BPlusTree) throws -> Bool {
        guard number > 0 else { return true }
        let root = try leaf(number, in: tree.space)
        if tree.kind != .string {
            unsafe words[number] = FenceKey.word(of: try root.plain().element(0))
            return true
        }
        let leaf = try BPlusTree.leaf(tree.space, root, tree.kind)
        return try unsafe leaf.withStringBytes(at: 0) { text in
            guard let text = unsafe text, case .word(let word, _) = unsafe TextLookup(text).rank(behind: prefix) else {
                return false
            }
            unsafe words[number] = word
            return true
        }
    }

    // MARK: Changes

    /// Records that one leaf may have been split, merged with the next, or removed, and that all nodes above it may
    /// have moved. `tree` is the tree after the change.
    func changed(_ number: Int, in tree: BPlusTree) {
        guard unsafe isReady else { return }
        unsafe known = nil
        if (try? follow(number, in: tree)) != true { forget() }
    }

    /// Returns `false` if more has changed.
    private func follow(_ number: Int, in tree: BPlusTree) throws -> Bool {
        var branch = try tree.space.node(tree.root)
        guard unsafe !branches.isEmpty else { return !branch.header.isInner }
        guard unsafe number < words.count else { return false }
        let index = self.branch(of: number)
        if let before = unsafe top {
            guard branch.header.isInner, branch.count == before.count else { return false }
            unsafe top = branch
            branch = try tree.space.node(branch.child(index + 1))
        }
        let delta = unsafe branch.count - branches[index].node.count
        guard branch.header.isInner, branch.count > 2, -1...1 ~= delta,
            try !tree.space.node(branch.child(1)).header.isInner
        else { return false }
        if delta > 0 { unsafe words.insert(0, at: number + 1) }
        if delta < 0 { unsafe words.remove(at: min(number + 1, branches[index].end - 1)) }
        unsafe branches[index].node = branch
        for place in unsafe index..<branches.count { unsafe branches[place].end += delta }
        for number in unsafe number..<min(number + 2, branches[index].end) {
            guard try readWord(number, of: tree) else { return false }
        }
        return true
    }
}

extension TreeStep {
    fileprivate func offset(in space: NodeSpace) throws -> Int {
        try TreeBranch.offset(of: child, in: branch, in: space)
    }
}
