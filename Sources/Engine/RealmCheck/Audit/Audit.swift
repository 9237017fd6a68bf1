// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// An error for a structure that can't be read further. The code that catches it decides how much of the audit is
/// skipped.
struct Damage: Error {
    let offset: Int64
    let rule: String
    let message: String

    init(_ offset: Int64, _ rule: String, _ message: String) {
        self.offset = offset
        self.rule = rule
        self.message = message
    }
}

/// An error for a file that isn't a database, or whose audit can't begin.
struct Unreadable: Error {
    let message: String
    init(_ offset: Int64, _ rule: String, _ message: String) { self.message = "@\(offset): \(rule): \(message)" }
}

/// One run of `FileChecker`: the snapshot and the facts found about its nodes.
///
/// `reached` are the nodes that the universal rule finds (container 2.6), `claimed` those with a known role. In a valid
/// file both are equal, because the tree contains no other nodes. A node can be claimed once, and all claimed nodes
/// together must fit into the file. That bounds the work that overlapping nodes could cause.
final class Audit {
    let bytes: CheckedBytes
    let options: CheckOptions
    var report = CheckReport()
    /// The current table and column, which precede the text of each violation.
    var place = ""

    /// The end of the nodes: of the image, and the logical size once that is known.
    var end: Int64
    var reached = RefSet(byteCount: 0)
    var claimed = RefSet(byteCount: 0)
    private var claimedByteCount: Int64 = 0
    private var reportedByteCount: Int64 = 0
    /// The remaining number of elements without bytes (width 0). Valid files have at most 1000 in a node of 8 bytes.
    private var budget: Int
    private var seen: Set<Violation> = []
    /// The remaining number of bytes that may be compared or scanned. It limits the work on strings that many rows
    /// share; valid files need much less.
    private var workBudget: Int

    var header = Header()
    /// The differences of a file of an older format; nil for the current format.
    var era: LegacyFormat?
    var top = Top()
    /// Position and length of the free blocks, ascending; empty if the lists are missing or wrong.
    var freeBlocks: [(position: Int64, count: Int64)] = []
    /// Roots of trees whose content is outside the specification.
    var opaqueRoots: [Int64] = []
    var tables: [Table] = []
    /// The table whose objects are being read: the origin of their links.
    var tableBeingRead: Table?
    var tablesByKey: [UInt64: Table] = [:]
    var book = LinkBook()
    var nested: [NestedCollection] = []
    /// Joined parts of oversized values. A `ByteRun` that starts after the image refers to these bytes.
    var joined: [UInt8] = []

    init(_ bytes: CheckedBytes, _ options: CheckOptions) {
        self.bytes = bytes
        self.options = options
        end = Int64(bytes.count)
        budget = 64 * bytes.count + 1 << 22
        workBudget = 64 * bytes.count + 1 << 24
    }

    /// Checks everything that a file at rest can show.
    func run() {
        do {
            header = try readHeader()
            report.statistics.formatVersion = header.formatVersion
            era = LegacyFormat(UInt8(truncatingIfNeeded: header.formatVersion))
            if header.top == 0 { return }
            top = try readTop()
        } catch {
            report.unreadable = error.message
            return
        }
        enterSnapshot()
        auditSpace()
        guarded { () throws(Damage) in try checkHistory() }
        if era?.hasRowTables == true {
            guarded { () throws(Damage) in try auditRowTables() }
            return compareReachedWithClaimed()
        }
        guarded { () throws(Damage) in try readTables() }
        checkOpposites()
        for table in tables where !table.isBroken { auditObjects(of: table) }
        resolveLinks()
        guarded("metadata") { () throws(Damage) in try checkSchemaVersion() }
        compareReachedWithClaimed()
        if report.violationCount > 0 { explainTestBuilds() }
    }

    private func enterSnapshot() {
        end = top.byteCount
        reached = RefSet(byteCount: bytes.count)
        claimed = RefSet(byteCount: bytes.count)
        report.statistics.version = top.version
        report.statistics.logicalByteCount = Int(top.byteCount)
        if top.version >= FileFormat.versionLimit {
            remnant(top.ref, "1:6.7", "version \(top.version) leaves no room for commits")
        }
        guarded { () throws(Damage) in try claim(node(top.ref), "top array") }
    }
}

// MARK: - Findings

extension Audit {
    @inline(__always)
    func violation(_ offset: Int64, _ rule: String, _ message: @autoclosure () -> String) {
        if hasRoomForViolation() { note(offset, rule, message()) }
    }

    @inline(never)
    private func hasRoomForViolation() -> Bool {
        if report.violationCount < options.violationLimit { return true }
        report.violationCount += 1
        return false
    }

    @inline(never)
    private func note(_ offset: Int64, _ rule: String, _ message: String) {
        let violation = Violation(offset: Ref(truncatingIfNeeded: offset), rule: rule, place: place, message: message)
        guard seen.insert(violation).inserted else { return }
        report.violationCount += 1
        report.violations.append(violation)
    }

    /// Records a structure that readers must accept and writers must not produce. In a file of an older format it is
    /// valid.
    @inline(__always)
    func remnant(_ offset: Int64, _ rule: String, _ message: @autoclosure () -> String) {
        if isStrict { violation(offset, rule, message()) } else { countRemnant(rule) }
    }

    private var isStrict: Bool { options.strict && era == nil }

    /// Records a structure that readers must accept and writers must not produce, in files of all formats.
    func remnantOfAnyFormat(_ offset: Int64, _ rule: String, _ message: @autoclosure () -> String) {
        if options.strict { violation(offset, rule, message()) } else { countRemnant(rule) }
    }

    @inline(never) private func countRemnant(_ rule: String) { report.remnants[rule, default: 0] += 1 }

    /// Converts damage inside `body` to a violation. Returns whether there was none.
    @discardableResult
    func guarded(_ place: String? = nil, _ body: () throws(Damage) -> Void) -> Bool {
        let before = self.place
        if let place { self.place = place }
        defer { self.place = before }
        do {
            try body()
            return true
        } catch {
            violation(error.offset, error.rule, error.message)
            return false
        }
    }
}

// MARK: - Nodes in their roles

extension Audit {
    /// Returns the node at `ref` in the role `kind`. Its header flags have to be among `flags` (content appendix A).
    func expect(_ ref: Int64, _ kind: String, _ flags: UInt8, or other: UInt8? = nil) throws(Damage) -> Node {
        let node = try node(ref)
        if node.flags != flags, node.flags != other {
            throw Damage(ref, "2:A", "\(kind) with header flags \(hex(node.flags)) instead of \(hex(flags))")
        }
        try claim(node, kind)
        return node
    }

    func claim(_ node: Node, _ kind: String) throws(Damage) {
        guard claimed.insert(node.ref) else {
            throw Damage(node.ref, "1:2.7 W6", "node used twice, also as \(kind)")
        }
        claimedByteCount += Int64(node.byteCount)
        reportProgress()
        if claimedByteCount > end { throw Damage(node.ref, "1:6.1 W1", "the nodes of the file overlap") }
    }

    /// All nodes are read twice: as nodes, and for their content. Free blocks aren't read.
    func reportProgress() {
        let done = (Int64(report.statistics.nodeByteCount) + claimedByteCount) / 2
        guard done - reportedByteCount > end >> 8, let progress = options.progress else { return }
        reportedByteCount = done
        progress(min(Int(end), Int(done) + report.statistics.freeByteCount), Int(end))
    }

    func bounded(_ ref: Int64, _ kind: String, _ limit: Int, _ flags: UInt8) throws(Damage) -> Node {
        let node = try expect(ref, kind, flags)
        if node.count > limit { throw Damage(ref, "1:2.8", "\(kind) with \(node.count) elements") }
        return node
    }

    func intArray(_ ref: Int64, _ kind: String, limit: Int) throws(Damage) -> [Int64] {
        try ints(bounded(ref, kind, limit, Node.plain))
    }

    /// Returns the elements of a `hasRefs` node: null refs, refs and tagged integers.
    func refArray(_ ref: Int64, _ kind: String, limit: Int) throws(Damage) -> [Int64] {
        try ints(bounded(ref, kind, limit, Node.refs))
    }

    /// Writers use width 8 or more. Readers accept the smaller ones of old files (container 2.5).
    func unsignedArray(_ ref: Int64, _ kind: String, limit: Int) throws(Damage) -> [UInt64] {
        let node = try bounded(ref, kind, limit, Node.plain)
        if node.width < 8 { remnant(ref, "1:2.5 W7", "\(kind) with width \(node.width)") }
        try spend(node)
        return bytes.elements(at: node.payload, count: node.count, width: node.width)
    }

    /// Returns the elements of a bit-packed node, signed from width 8 on.
    func ints(_ node: Node) throws(Damage) -> [Int64] {
        try spend(node)
        return bytes.elements(at: node.payload, count: node.count, width: node.width)
    }

    func spend(_ node: Node) throws(Damage) {
        guard node.width == 0 else { return }
        budget -= node.count
        if budget < 0 { throw Damage(node.ref, "1:2.8 R23", "absurd number of elements in nodes of width 0") }
    }

    /// Accounts for `n` bytes of work on values. Returns false once the work limit is exceeded; the audit skips the
    /// rest.
    func canWork(_ n: Int) -> Bool {
        if workBudget < 0 { return false }
        workBudget -= n
        if workBudget < 0 { violation(0, "1:2.8 R23", "absurd number of rows that share long strings") }
        return workBudget >= 0
    }

    /// Every reachable node has a place in the structures of the specification, and vice versa.
    func compareReachedWithClaimed() {
        for root in opaqueRoots { claimOpaque(root) }
        // A damaged structure leaves its nodes without a role, but the damage was already reported.
        if report.violationCount > 0 || reached == claimed { return }
        reached.subtracting(claimed).forEach { violation($0, "1:0.3 M44", "node that no structure uses") }
        claimed.subtracting(reached).forEach {
            violation($0, "1:2.6 W5", "node that hangs in a node without the hasRefs flag")
        }
    }

    private func claimOpaque(_ root: Int64) {
        var pending = [root]
        while let ref = pending.popLast() {
            guard isPlace(ref), reached.contains(ref), claimed.insert(ref), let node = try? node(ref) else { continue }
            forEachChild(of: node) { pending.append($0) }
        }
    }
}

func hex(_ number: some BinaryInteger) -> String { String(number, radix: 16) }

func isRef(_ element: Int64) -> Bool { element != 0 && element & 1 == 0 }
