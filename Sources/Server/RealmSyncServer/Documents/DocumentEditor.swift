// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// Converts changes of documents to a changeset.
    ///
    /// A changed document results in instructions for the fields that differ, so that concurrent changes of clients to
    /// the others remain.
    struct DocumentEditor {
        private typealias Content = ObjectContent

        private var reader: DocumentReader
        private var writer: RowWriter<ChangesetParts>

        init(_ schema: AppSchema) {
            reader = DocumentReader(schema)
            writer = RowWriter(columns: schema.columns, ChangesetParts())
        }

        private var schema: AppSchema { reader.schema }

        /// `nil` if nothing was changed.
        var changeset: Changeset? { writer.output.changesets.first }

        /// Returns the object and the `_id` of a new document.
        ///
        /// - Throws: `ServiceRefusal` if the document doesn't fit the class.
        mutating func insert(
            _ document: [ExtendedJSON.Member], of table: Text, _ exists: (ObjectReference) throws -> Bool
        ) throws -> (object: ObjectReference, key: ExtendedJSON) {
            let (object, row) = try fitting { reader throws(DocumentError) in try reader.object(document, of: table) }
            guard try !exists(object) else {
                throw ServiceRefusal(.conflict, "a document of '\(table)' has the _id \(ExtendedJSON(object.key))")
            }
            writer.append(.createObject(object))
            writer.add(row, of: object)
            return (object, ExtendedJSON(object.key))
        }

        mutating func erase(_ object: ObjectReference) { writer.append(.eraseObject(object)) }

        /// Changes an existing object. Fields that the new document lacks become those of a new object.
        ///
        /// - Throws: `ServiceRefusal` if the new document doesn't fit the class.
        mutating func change(
            _ object: ObjectReference, from old: [ExtendedJSON.Member], to outcome: DocumentUpdate.Outcome
        ) throws {
            for (name, amount) in outcome.increments.sorted(by: { $0.key < $1.key }) where amount != 0 {
                writer.append(.change(Place(object, name), .addInteger(amount)))
            }
            let key = schema.primaryKey(of: object.table)?.name
            let rest = outcome.increments
            try change(
                fields: object.table, from: old, to: outcome.document, level: 1,
                except: { $0 == key || rest[$0] != nil }
            ) { Place(object, $0) }
        }

        // MARK: Fields

        private mutating func change(
            fields table: Text, from old: [ExtendedJSON.Member], to new: [ExtendedJSON.Member], level: Int,
            except isExcluded: (Text) -> Bool = { _ in false }, at place: (Text) -> Place
        ) throws {
            let oldValues = Dictionary(old.map { (Text($0.name), $0.value) }) { $1 }
            let newValues = Dictionary(new.map { (Text($0.name), $0.value) }) { $1 }
            for name in newValues.keys.sorted() where !isExcluded(name) && schema.columns[table]?[name] == nil {
                throw DocumentEditor.unknown(Text("\(table).\(name)"))
            }
            for (name, column) in (schema.columns[table] ?? [:]).sorted(by: { $0.key < $1.key })
            where !isExcluded(name) {
                // A field that the client may not see is in neither document.
                guard let oldValue = oldValues[name] ?? newValues[name].map({ _ in .null }) else { continue }
                guard oldValue != newValues[name] else { continue }
                try change(column, from: oldValue, to: newValues[name], at: place(name), level)
            }
        }

        private mutating func change(
            _ column: ColumnDefinition, from old: ExtendedJSON, to new: ExtendedJSON?, at place: Place, _ level: Int
        ) throws {
            switch column.collection {
            case .single: try changeSingle(column, from: old, to: new, at: place, level)
            case .list:
                let elements = new ?? .array([])
                guard case .list(let tree) = try content(elements == .null ? .array([]) : elements, column, level)
                else { return }
                try changeList(column, from: old, to: elements, tree.elements, at: place, level)
            case .set: try changeSet(column, from: old, to: new ?? .array([]), at: place, level)
            case .dictionary:
                let members = (new ?? .null).members ?? []
                _ = try content(new ?? .null, column, level)
                try changeDictionary(column, from: old.members ?? [], to: members, at: place, level)
            }
        }

        private mutating func changeSingle(
            _ column: ColumnDefinition, from old: ExtendedJSON, to new: ExtendedJSON?, at place: Place, _ level: Int
        ) throws {
            let content = try new.map { try self.content($0, column, level) } ?? ObjectContent.initial(column)
            switch (old, new, content) {
            case (.document(let old), .document(let new)?, .object(let table, _)):
                try change(fields: table, from: old, to: new, level: level + 1) { place.appending(.key($0)) }
            case (.document(let old), .document(let new)?, .dictionary) where !DocumentEditor.isLink(old):
                try changeDictionary(column, from: old, to: new, at: place, level)
            case (.array, .array(let new)?, .list(let tree)):
                try changeList(column, from: old, to: .array(new), tree.elements, at: place, level)
            case (.array, _, _), (.document, _, _):
                // The collection or object of the same kind would keep its contents.
                if content != .value(.null) { writer.append(.change(place, .update(.null, isDefault: false))) }
                writer.add(content, at: place, column)
            default:
                if let same = try? self.content(old, column, level), same == content { return }
                writer.add(content, at: place, column)
            }
        }

        /// Whether the document is a link of a mixed value.
        private static func isLink(_ document: [ExtendedJSON.Member]) -> Bool {
            document.count == 2 && document[0].name == "$ref" && document[1].name == "$id"
        }

        // MARK: Collections

        private mutating func changeList(
            _ column: ColumnDefinition, from old: ExtendedJSON, to new: ExtendedJSON, _ contents: [Content],
            at place: Place, _ level: Int
        ) throws {
            guard case .array(let oldElements) = old, case .array(let newElements) = new else { return }
            let oldContents = try oldElements.map { try element($0, column, level) }
            let shared = min(oldContents.count, contents.count)
            let prefix = zip(oldContents, contents).prefix { $0 == $1 }.count
            let suffix = zip(oldContents.reversed(), contents.reversed()).prefix(shared - prefix).prefix { $0 == $1 }
                .count
            let (removed, added) = (prefix..<oldContents.count - suffix, prefix..<contents.count - suffix)
            func location(_ index: Int) -> Place { place.appending(.index(index)) }
            if removed.count == added.count {
                for index in removed where oldContents[index] != contents[index] {
                    try changeElement(
                        column, oldElements[index], newElements[index], contents[index], at: location(index),
                        size: contents.count, level)
                }
                return
            }
            // Elements that remain in their order aren't removed.
            var kept = added.lowerBound
            var erased: [Int] = []
            for index in removed {
                if kept < added.upperBound, oldContents[index] == contents[kept] {
                    kept += 1
                } else {
                    erased.append(index)
                }
            }
            if kept < added.upperBound { (erased, kept) = (Array(removed), added.lowerBound) }
            var size = oldContents.count
            for index in erased.reversed() {
                writer.append(.change(location(index), .erase(priorSize: size)))
                size -= 1
            }
            for index in kept..<added.upperBound {
                writer.insert(contents[index], at: location(index), priorSize: size)
                size += 1
            }
        }

        private mutating func changeElement(
            _ column: ColumnDefinition, _ old: ExtendedJSON, _ new: ExtendedJSON, _ content: Content, at place: Place,
            size: Int, _ level: Int
        ) throws {
            switch (old, new, content) {
            case (.document(let old), .document(let new), .object(let table, _)):
                try change(fields: table, from: old, to: new, level: level + 1) { place.appending(.key($0)) }
            case (.document(let old), .document(let new), .dictionary) where !DocumentEditor.isLink(old):
                try changeDictionary(column, from: old, to: new, at: place, level + 1)
            case (.array, .array, .list(let tree)):
                try changeList(column, from: old, to: new, tree.elements, at: place, level + 1)
            default:
                if case .value(let value) = content, old.members == nil {
                    writer.append(.change(place, .updateElement(value, priorSize: size)))
                } else {
                    writer.append(.change(place, .erase(priorSize: size)))
                    writer.insert(content, at: place, priorSize: size - 1)
                }
            }
        }

        private mutating func changeSet(
            _ column: ColumnDefinition, from old: ExtendedJSON, to new: ExtendedJSON, at place: Place, _ level: Int
        ) throws {
            guard case .set(let oldValues) = try content(old, column, level),
                case .set(let newValues) = try content(new, column, level)
            else { return }
            guard oldValues != newValues else { return }
            if column.type == .timestamp || column.type == .null {
                // The document's dates may differ from the stored ones, so they can't be removed one by one.
                writer.append(.change(place, .clear(.set)))
                for value in newValues { writer.append(.change(place, .setInsert(value))) }
                return
            }
            for value in oldValues.subtracting(newValues) { writer.append(.change(place, .setErase(value))) }
            for value in newValues.subtracting(oldValues) { writer.append(.change(place, .setInsert(value))) }
        }

        private mutating func changeDictionary(
            _ column: ColumnDefinition, from old: [ExtendedJSON.Member], to new: [ExtendedJSON.Member],
            at place: Place, _ level: Int
        ) throws {
            let oldValues = Dictionary(old.map { (Text($0.name), $0.value) }) { $1 }
            let newValues = Dictionary(new.map { (Text($0.name), $0.value) }) { $1 }
            for key in oldValues.keys.sorted() where newValues[key] == nil {
                writer.append(.change(place.appending(.key(key)), .update(.erased, isDefault: false)))
            }
            for (key, value) in newValues.sorted(by: { $0.key < $1.key }) where oldValues[key] != value {
                let inner = place.appending(.key(key))
                let content = try element(value, column, level)
                switch (oldValues[key], value, content) {
                case (.document(let old)?, .document(let new), .object(let table, _)):
                    try change(fields: table, from: old, to: new, level: level + 1) { inner.appending(.key($0)) }
                case (.document(let old)?, .document(let new), .dictionary) where !DocumentEditor.isLink(old):
                    try changeDictionary(column, from: old, to: new, at: inner, level + 1)
                case (.array(let old)?, .array, .list(let tree)):
                    try changeList(column, from: .array(old), to: value, tree.elements, at: inner, level + 1)
                case (.array?, _, _), (.document?, _, _):
                    writer.append(.change(inner, .update(.null, isDefault: false)))
                    writer.put(content, at: inner)
                case (let old?, _, _) where try element(old, column, level) == content: break
                default: writer.put(content, at: inner)
                }
            }
        }

        // MARK: Values

        private mutating func content(
            _ value: ExtendedJSON, _ column: ColumnDefinition, _ level: Int
        ) throws -> Content {
            try fitting { reader throws(DocumentError) in try reader.content(value, column, level) }
        }

        /// The content of an element of a collection, which can be inside a mixed value.
        private mutating func element(
            _ value: ExtendedJSON, _ column: ColumnDefinition, _ level: Int
        ) throws -> Content {
            try fitting { reader throws(DocumentError) in try reader.single(value, column, level + 1) }
        }

        private mutating func fitting<Result>(
            _ read: (inout DocumentReader) throws(DocumentError) -> Result
        ) throws -> Result {
            let result: Result
            do { result = try read(&reader) } catch { throw ServiceRefusal(.invalid, error.message) }
            if let name = reader.ignoredFields.min() { throw DocumentEditor.unknown(name) }
            return result
        }

        private static func unknown(_ field: Text) -> ServiceRefusal {
            ServiceRefusal(.invalid, "no class has the property '\(field)'")
        }
    }
#endif
