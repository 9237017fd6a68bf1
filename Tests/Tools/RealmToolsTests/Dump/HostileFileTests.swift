// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import Testing

/// Files whose nodes are cyclic or shared, which random changes don't produce.
@Suite struct HostileFileTests {
    @Test func listThatHoldsItself() throws {
        guard let fixture = Fixture.all.first(where: { $0.name == "nested" }) else { return }
        let folder = try TemporaryFolder()
        let list = try #require(try HostileFileTests.listOfLists(fixture.path))
        let path = try fixture.copy(into: folder) { list.replaceElement(by: list.root, in: &$0) }
        let run = ToolRun("dump", path)
        #expect(run.status == 1)
        #expect(run.errors.contains("nested without end"))
        let check = ToolRun("check", path)
        #expect(check.status == 1)
        #expect(check.output.contains("second parent"))
    }

    /// One cluster as every child of its branch: the number of objects differs from the branch's count.
    @Test func clusterThatIsSharedByItsBranch() throws {
        guard let fixture = Fixture.all.first(where: { $0.name == "links" }) else { return }
        let folder = try TemporaryFolder()
        let database = try Database.open(fixture.path, readOnly: true)
        let snapshot = try database.snapshot()
        let branch = try #require(
            try snapshot.tableKeys().compactMap { try snapshot.table($0) }
                .map { try snapshot.space.node($0.clusters.root) }.first { $0.header.isInner && $0.count > 4 })
        let path = try fixture.copy(into: folder) { bytes in
            let place = HostileFileTests.PackedElements(branch)
            for slot in 4..<branch.count { place.set(slot, to: branch[3], in: &bytes) }
        }
        let run = ToolRun("dump", path)
        #expect(run.status == 1)
        #expect(run.errors.filter { $0 == "\n" }.count == 1)
        #expect(ToolRun("check", path).status == 1)
    }

    // MARK: Finding and changing nodes

    struct PackedElements {
        let payload: Int
        let byteWidth: Int

        init(_ node: Node) {
            payload = Int(node.ref) + 8
            byteWidth = node.width / 8
        }

        func set(_ index: Int, to value: Int64, in bytes: inout [UInt8]) {
            for byte in 0..<byteWidth {
                bytes[payload + index * byteWidth + byte] = UInt8(truncatingIfNeeded: value >> (8 * Int64(byte)))
            }
        }
    }

    struct ListOfLists {
        let root: Ref
        let refs: PackedElements

        func replaceElement(by ref: Ref, in bytes: inout [UInt8]) { refs.set(0, to: Int64(ref), in: &bytes) }
    }

    private static func listOfLists(_ path: String) throws -> ListOfLists? {
        let snapshot = try Database.open(path, readOnly: true).snapshot()
        var found: ListOfLists?
        for table in try snapshot.tableKeys().compactMap({ try snapshot.table($0) }) {
            for column in table.publicColumns where column.leafKind == .mixed {
                try table.clusters.forEachLeaf { leaf in
                    let values = try leaf.column(column.leafIndex, column.leafKind)
                    for row in 0..<leaf.count {
                        if case .list(let root, _) = try values.value(at: row) {
                            found = try listOfLists(root, snapshot.space) ?? found
                        }
                    }
                    return true
                }
            }
        }
        return found
    }

    private static func listOfLists(_ root: Ref, _ space: NodeSpace) throws -> ListOfLists? {
        guard root != 0 else { return nil }
        let tree = try BPlusTree(space, root, .mixed)
        let node = try space.node(root)
        guard !node.header.isInner else { return nil }
        let nested = try tree.values().compactMap { value in
            switch value {
            case .list: true
            case .dictionary: false
            default: nil as Bool?
            }
        }
        guard !nested.isEmpty, nested.allSatisfy(\.self) else { return nil }
        let refs = try space.node(node.child(FileFormat.Mixed.refs))
        return refs.width >= 16 && refs.count > 0 ? ListOfLists(root: root, refs: PackedElements(refs)) : nil
    }
}
