// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

extension PartitionState {
    /// Changes that lead to the state from nothing: first the classes, then the objects, then their values, so that no
    /// link is made before its target.
    ///
    /// - Parameters:
    ///   - partSize: a changeset ends with the instruction that crosses it.
    ///   - mostParts: how many changesets there may be.
    func changesets(partSize: Int, mostParts: Int) -> [Changeset] {
        var parts = Parts(size: partSize)
        let names = tables.keys.sorted()
        for name in names { if let table = tables[name] { parts.append(.addTable(table.definition)) } }
        for name in names {
            for (_, column) in (tables[name]?.columns ?? [:]).sorted(by: { $0.key < $1.key }) {
                parts.append(.addColumn(column))
            }
        }
        for name in names {
            for key in (tables[name]?.objects ?? [:]).keys { parts.append(.createObject(ObjectReference(name, key))) }
        }
        for name in names {
            guard let table = tables[name] else { continue }
            for (key, row) in table.objects {
                for (property, content) in row {
                    guard let column = table.columns[property] else { continue }
                    add(content, at: Place(ObjectReference(name, key), property), column, &parts)
                }
            }
        }
        return parts.changesets(atMost: mostParts)
    }

    /// What makes a property that holds nothing yet hold `content`.
    private func add(_ content: Content, at place: Place, _ column: ColumnDefinition, _ parts: inout Parts) {
        if column.collection == .single, let value = content.beginning {
            parts.append(.change(place, .update(value, isDefault: false)))
        }
        addInside(content, at: place, &parts)
    }

    /// What fills a collection or an object that is there, and empty.
    private func addInside(_ content: Content, at place: Place, _ parts: inout Parts) {
        switch content {
        case .value: break
        case .set(let elements): for element in elements { parts.append(.change(place, .setInsert(element))) }
        case .list(let elements):
            for (index, element) in elements.enumerated() {
                let inner = place.appending(.index(index))
                parts.append(.change(inner, .insert(element.beginning ?? .null, priorSize: index)))
                addInside(element, at: inner, &parts)
            }
        case .dictionary(let members):
            for (key, member) in members {
                let inner = place.appending(.key(key))
                parts.append(.change(inner, .update(member.beginning ?? .null, isDefault: false)))
                addInside(member, at: inner, &parts)
            }
        case .object(let name, let members):
            for (key, member) in members {
                guard let column = tables[name]?.columns[key] else { continue }
                add(member, at: place.appending(.key(key)), column, &parts)
            }
        }
    }

    /// Instructions in parts of about one size.
    private struct Parts {
        let size: Int
        private var encoder = ChangesetEncoder()
        private var parts: [[Instruction]] = [[]]

        init(size: Int) { self.size = size }

        mutating func append(_ instruction: Instruction) {
            if encoder.bytes.count > size {
                parts.append([])
                encoder = ChangesetEncoder()
            }
            encoder.append(instruction)
            parts[parts.count - 1].append(instruction)
        }

        func changesets(atMost count: Int) -> [Changeset] {
            if parts.count == 1, parts[0].isEmpty { return [] }
            let share = parts.count / count + (parts.count % count == 0 ? 0 : 1)
            return stride(from: 0, to: parts.count, by: share).map { start in
                Changeset(Array(parts[start..<min(start + share, parts.count)].joined()))
            }
        }
    }
}

extension PartitionState.Content {
    /// The value that it begins with: a collection or an object is made first, and filled then.
    fileprivate var beginning: SyncValue? {
        switch self {
        case .value(let value): value
        case .list: .list
        case .dictionary: .dictionary
        case .set: nil
        case .object: .object
        }
    }
}

extension Place {
    fileprivate func appending(_ element: PathElement) -> Place {
        var place = self
        place.path = Path(path.elements + [element])
        return place
    }
}
