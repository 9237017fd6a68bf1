// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Links and backlinks agree, both ways and in number (content 12.1, 12.2).
extension Audit {
    /// Adds one link of the live object `owner` to the book. `table` is the key of the target table.
    func forward(_ column: Column, _ owner: Int64, table: Int64, target: Int64) {
        if target == ObjectKey.null.rawValue { return }
        guard let origin = tableBeingRead, let targetTable = tablesByKey[UInt64(bitPattern: table)] else {
            return violation(
                tableBeingRead?.ref ?? 0, "2:12.2 M35",
                "link of object \(owner) to table \(table), which does not exist")
        }
        report.statistics.linkCount += 1
        let row = (target >= 0 ? targetTable.live : targetTable.tombs).row(of: target)
        if row == nil, !targetTable.isBroken {
            violation(
                origin.ref, "2:12.1 M35",
                "link of object \(owner) to object \(target) of \(targetTable.name), which does not exist")
        }
        let page = book.page(origin, column, targetTable)
        if page.forward.isEmpty { checkTargetKind(column, origin, targetTable) }
        if let last = page.forward.last, last.target == target, last.origin == owner {
            page.forward[page.forward.count - 1].count += 1
        } else {
            page.forward.append(LinkBook.Entry(target: target, origin: owner, count: 1))
        }
        if target >= 0, let row, row < targetTable.parentCounts.count {
            targetTable.parentCounts[row] &+= 1
        }
    }

    private func checkTargetKind(_ column: Column, _ origin: Table, _ target: Table) {
        let isEmbedded = target.kind == .embedded
        if target.kind == .asymmetric || isEmbedded && (column.type != .link || column.kind == .set) {
            violation(origin.ref, "2:12.2", "links to the \(target.kind) table \(target.name)")
        }
        if origin.kind == .asymmetric, !isEmbedded {
            violation(origin.ref, "2:12.2", "an asymmetric table links to \(target.name)")
        }
    }

    // MARK: Backlinks

    /// The origin of the entries of one backlink column.
    struct BacklinkOrigin {
        let owner: Table
        let label: String
        /// Nil if the origin doesn't exist any longer (content 13.9).
        let origin: Table?
        let page: LinkBook.Page?

        func enter(target: Int64, origin key: Int64, count: Int, _ audit: Audit) {
            guard let origin, let page else {
                return audit.remnant(owner.ref, "2:13.9 M45", "entries without an origin column")
            }
            if origin.live.row(of: key) == nil, !origin.isBroken {
                return audit.remnant(owner.ref, "2:13.9 M45", "entry of a missing object")
            }
            page.backward.append(LinkBook.Entry(target: target, origin: key, count: count))
        }
    }

    func backlinkOrigin(_ column: Column, of table: Table) -> BacklinkOrigin {
        let origin = tablesByKey[UInt64(bitPattern: column.oppositeTable)]
        let forward = origin?.columnsByKey[column.oppositeColumn]
        guard let origin, let forward, forward.type != .backlink else {
            return BacklinkOrigin(owner: table, label: column.label, origin: nil, page: nil)
        }
        let page = book.page(origin, forward, table)
        return BacklinkOrigin(owner: table, label: column.label, origin: origin, page: page)
    }

    /// Excludes the links of an unreadable column from the comparison.
    func markUnsure(_ column: Column, of table: Table) {
        book.hasUnsure = true
        // A broken origin column is reported separately.
        if column.type == .backlink { backlinkOrigin(column, of: table).page?.isUnsure = true }
    }

    // MARK: Comparison

    func resolveLinks() {
        for page in book.pages {
            if page.origin.isBroken || page.target.isBroken || page.isUnsure || page.column.isBroken { continue }
            for entry in page.differences(limit: 20) {
                let message =
                    "\(page.column.label): object \(entry.origin) links \(page.target.name) \(entry.target) "
                    + "\(entry.count.magnitude) times \(entry.count > 0 ? "more" : "less") than its backlinks say"
                if entry.count < 0, page.column.type == .mixed {
                    remnant(page.target.ref, "2:13.19 M35", message)
                } else {
                    violation(page.target.ref, "2:12.1 M35", message)
                }
            }
            page.forward = []
            page.backward = []
        }
        if !book.hasUnsure, tables.allSatisfy({ !$0.isBroken }) { checkParents() }
    }

    /// An embedded object has exactly one incoming link. Orphans are described in content 13.10.
    private func checkParents() {
        for table in tables where table.kind == .embedded {
            for (row, count) in table.parentCounts.enumerated() where count != 1 {
                let message = "\(table.name): object \(table.live.key(row)) has \(count) parents"
                if count > 1 {
                    violation(table.ref, "2:12.2 M36", message)
                } else {
                    remnant(table.ref, "2:13.10 M36", message)
                }
            }
        }
    }

    // MARK: Opposite columns (content 3.1)

    func checkOpposites() {
        for table in tables {
            var origins: Set<[UInt64]> = []
            for column in table.columns {
                guarded(column.label) { () throws(Damage) in try checkOpposite(column, of: table) }
                guard column.type == .backlink else { continue }
                let origin = [UInt64(bitPattern: column.oppositeTable), column.oppositeColumn]
                if !origins.insert(origin).inserted {
                    violation(table.ref, "2:3.1", "\(table.name): two backlink columns for one origin column")
                }
            }
        }
    }

    private func checkOpposite(_ column: Column, of table: Table) throws(Damage) {
        switch column.type {
        case .link: try checkLinkColumn(column, of: table)
        case .backlink: try checkBacklinkColumn(column, of: table)
        default:
            if column.oppositeTable != Int64(TableKey.null.rawValue)
                || column.oppositeColumn != ColumnKey.null.rawValue
            {
                throw Damage(table.ref, "2:3.1 M26", "opposite entries for a column that is not a link")
            }
        }
    }

    private func checkLinkColumn(_ column: Column, of table: Table) throws(Damage) {
        guard let target = tablesByKey[UInt64(bitPattern: column.oppositeTable)] else {
            throw Damage(table.ref, "2:3.1", "link column to table \(column.oppositeTable), which does not exist")
        }
        if target.isBroken { return }
        guard let back = target.columnsByKey[column.oppositeColumn], back.type == .backlink,
            back.oppositeTable == Int64(bitPattern: table.key), back.oppositeColumn == column.key.rawValue
        else {
            throw Damage(table.ref, "2:3.1", "link column whose backlink column in \(target.name) does not answer")
        }
        if target.kind == .embedded, column.kind == .set {
            throw Damage(table.ref, "2:4.4", "set of embedded objects")
        }
    }

    private func checkBacklinkColumn(_ column: Column, of table: Table) throws(Damage) {
        let origin = tablesByKey[UInt64(bitPattern: column.oppositeTable)]
        if let origin, origin.isBroken { return }
        guard let forward = origin?.columnsByKey[column.oppositeColumn] else {
            return remnant(table.ref, "2:13.9 M45", "backlink column whose origin is gone")
        }
        if forward.type == .mixed || forward.type == .typedLink { return }
        guard forward.type == .link, forward.oppositeTable == Int64(bitPattern: table.key),
            forward.oppositeColumn == column.key.rawValue
        else {
            throw Damage(table.ref, "2:3.1", "backlink column for \(forward.label), which does not link here")
        }
    }
}
