// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Decodes specs (older 3).
struct RowSpec {
    let reader: RowReader

    /// Returns the public columns of the spec at `ref`, and the number of elements in its array of columns. Tables
    /// within rows have a `depth` above 0 and no links.
    func columns(_ ref: Ref, depth: Int = 0) throws -> (columns: [RowColumn], elementCount: Int) {
        typealias Slot = RowFormat.Spec
        guard depth < RowFormat.maximumDepth else { throw RowReader.endless(ref) }
        let spec = try reader.refs(ref)
        guard Slot.legalCounts.contains(spec.count) else { throw damaged(ref) }
        let types = try reader.plain(spec.child(Slot.types))
        let attributes = try reader.plain(spec.child(Slot.attributes))
        let names = try NameList.decode(try nameNode(spec, atMost: types.count))
        guard attributes.count == types.count else { throw damaged(ref) }
        var subspecs = try RowList(reader, spec, Slot.subspecs)
        var enumKeys = try RowList(reader, spec, Slot.enumKeys)
        var columns: [RowColumn] = []
        var position = 0
        for index in 0..<types.count {
            guard let type = RowType(rawValue: types[index]), (type == .backlink) == (index >= names.count),
                depth == 0 || !type.isLink
            else { throw StorageError.corrupt("a column of impossible type", at: ref) }
            let flags = ColumnAttributes(rawValue: Int(attributes[index]))
            var (target, subcolumns): (Int, [RowColumn]) = (-1, [])
            switch type {
            case .table: subcolumns = try self.columns(try subspecs.nextRef(), depth: depth + 1).columns
            case .link, .linkList: target = try subspecs.nextNumber()
            case .backlink: _ = try (subspecs.nextNumber(), subspecs.nextNumber())
            default: break
            }
            if type != .backlink {
                let keys = type == .enumerated ? try enumKeys.nextRef() : 0
                columns.append(
                    RowColumn(
                        name: names[index], type: type, isIndexed: flags.contains(.indexed),
                        isNullable: flags.contains(.nullable), position: position, target: target, enumKeys: keys,
                        subcolumns: subcolumns))
            }
            position += flags.contains(.indexed) ? 2 : 1
        }
        return (columns, position)
    }

    /// Names of width 0 use no bytes, so their number is limited by that of the types. The caller limits that by the
    /// number of roots.
    private func nameNode(_ spec: Node, atMost count: Int) throws -> Node {
        let node = try reader.node(try spec.child(RowFormat.Spec.names))
        guard node.count <= count, count <= FileFormat.leafIndexCount else { throw damaged(spec.ref) }
        return node
    }

    private func damaged(_ ref: Ref) -> any Error {
        StorageError.corrupt("a spec whose arrays contradict each other", at: ref)
    }
}

private struct RowList {
    private let node: Node?
    private let spec: Ref
    private var index = 0

    init(_ reader: RowReader, _ spec: Node, _ slot: Int) throws {
        self.spec = spec.ref
        let ref = slot < spec.count ? try spec.child(slot) : 0
        node = ref == 0 ? nil : try reader.refs(ref)
    }

    private mutating func next() throws -> Int64 {
        guard let node else { throw StorageError.corrupt("a spec without the array that its types need", at: spec) }
        defer { index += 1 }
        return try node.element(index)
    }

    mutating func nextRef() throws -> Ref {
        let element = try next()
        guard element != 0, !Tagged.isTagged(element) else {
            throw StorageError.corrupt("a number where a reference belongs; the file is damaged", at: spec)
        }
        return Ref(element: element)
    }

    mutating func nextNumber() throws -> Int {
        let element = try next()
        guard Tagged.isTagged(element) else {
            throw StorageError.corrupt("a reference where a number belongs; the file is damaged", at: spec)
        }
        return Int(clamping: Tagged.decode(element))
    }
}
