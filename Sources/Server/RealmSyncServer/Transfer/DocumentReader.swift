// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore

    /// Converts documents in Extended JSON to objects of a partition's classes (§6.2).
    struct DocumentReader {
        typealias Content = ObjectContent

        let schema: AppSchema
        /// As `Class.field`.
        private(set) var ignoredFields: Set<Text> = []

        private static let maxLevels = 100

        init(_ schema: AppSchema) { self.schema = schema }

        /// Returns `nil` for an empty line.
        ///
        /// - Parameter className: The class of the object, or `nil` if the document contains it in `$class`.
        mutating func object(
            _ line: [UInt8], _ className: String?
        ) throws(DocumentError) -> (ObjectReference, ObjectRow)? {
            guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { return nil }
            let json: JSON
            do { json = try JSON(parsing: line) } catch { throw DocumentError("it isn't JSON: \(error.message)") }
            guard var members = json.members else { throw DocumentError("it isn't a JSON object") }
            let named = members.first { $0.name == "$class" }?.value
            members.removeAll { $0.name == "$class" }
            guard let name = named.map({ $0.text }) ?? className else {
                throw DocumentError("it names no class: give it a member '$class', or use --class")
            }
            guard case .document(let document)? = ExtendedJSON(.object(members)) else {
                throw DocumentError("it isn't Extended JSON")
            }
            return try object(document, of: Text(name))
        }

        mutating func object(
            _ document: [ExtendedJSON.Member], of table: Text
        ) throws(DocumentError) -> (ObjectReference, ObjectRow) {
            guard schema.tables[table] != nil else {
                throw DocumentError(
                    "there is no class '\(table)': name its schema with --schema, or let a client synchronise it first")
            }
            guard let key = schema.primaryKey(of: table) else {
                throw DocumentError("'\(table)' has no objects of its own")
            }
            guard let value = document.last(where: { Text($0.name) == key.name })?.value else {
                throw DocumentError("it has no '\(key.name)'")
            }
            let object = try reference(value, to: table)
            return (object, try row(document.filter { Text($0.name) != key.name }, of: table, level: 1))
        }

        func reference(_ value: ExtendedJSON, to table: Text) throws(DocumentError) -> ObjectReference {
            guard let key = schema.primaryKey(of: table) else {
                throw DocumentError("'\(table)' has no objects of its own")
            }
            switch scalar(value, key.type) {
            case .int(let value)?: return ObjectReference(table, .int(value))
            case .string(let value)?: return ObjectReference(table, .string(value))
            case .objectId(let value)?: return ObjectReference(table, .objectId(value))
            case .uuid(let value)?: return ObjectReference(table, .uuid(value))
            case nil where value == .null && key.isNullable: return ObjectReference(table, .null)
            default:
                throw DocumentError(
                    "\(value) isn't a valid '\(key.name)' of '\(table)', which has the type \(key.type)")
            }
        }

        mutating func row(
            _ document: [ExtendedJSON.Member], of table: Text, level: Int
        ) throws(DocumentError) -> ObjectRow {
            var row: ObjectRow = [:]
            for member in document {
                guard let column = schema.columns[table]?[Text(member.name)] else {
                    ignoredFields.insert(Text("\(table).\(member.name)"))
                    continue
                }
                row[Text(member.name)] = try content(member.value, column, level)
            }
            return row
        }

        // MARK: Values

        mutating func content(
            _ value: ExtendedJSON, _ column: ColumnDefinition, _ level: Int
        ) throws(DocumentError) -> Content {
            guard level < DocumentReader.maxLevels else { throw DocumentError("it has too many levels") }
            switch (column.collection, value) {
            case (.single, _): return try single(value, column, level)
            case (.list, .array(let elements)):
                return .list(PositionTree(try self.elements(elements, column, level)))
            case (.set, .array(let elements)):
                var set: Set<SyncValue> = []
                for element in try self.elements(elements, column, level) {
                    guard case .value(let value) = element else { throw mismatch(.array(elements), column) }
                    set.insert(value)
                }
                return .set(set)
            case (.dictionary, .document(let members)):
                var entries: [Text: Content] = [:]
                for member in members { entries[Text(member.name)] = try single(member.value, column, level + 1) }
                return .dictionary(entries)
            case (_, .null): return ObjectContent.start(of: column)
            default: throw mismatch(value, column)
            }
        }

        private mutating func elements(
            _ values: [ExtendedJSON], _ column: ColumnDefinition, _ level: Int
        ) throws(DocumentError) -> [Content] {
            var elements: [Content] = []
            for value in values {
                if value == .null, column.type == .link { throw mismatch(value, column) }
                elements.append(try single(value, column, level + 1))
            }
            return elements
        }

        mutating func single(
            _ value: ExtendedJSON, _ column: ColumnDefinition, _ level: Int
        ) throws(DocumentError) -> Content {
            if column.type == .null { return try mixed(value, level) }
            if value == .null {
                guard column.isNullable || column.type == .link else { throw mismatch(value, column) }
                return .value(.null)
            }
            guard column.type == .link else {
                guard let value = scalar(value, column.type) else { throw mismatch(value, column) }
                return .value(value)
            }
            let target = column.target ?? ""
            if schema.isEmbedded(target) {
                guard case .document(let members) = value else { throw mismatch(value, column) }
                return .object(target, try row(members, of: target, level: level + 1))
            }
            return .value(.link(try reference(value, to: target)))
        }

        mutating func mixed(_ value: ExtendedJSON, _ level: Int) throws(DocumentError) -> Content {
            guard level < DocumentReader.maxLevels else { throw DocumentError("it has too many levels") }
            switch value {
            case .array(let values):
                var elements: [Content] = []
                for value in values { elements.append(try mixed(value, level + 1)) }
                return .list(PositionTree(elements))
            case .document(let members):
                if let link = try self.link(members) { return .value(link) }
                var entries: [Text: Content] = [:]
                for member in members { entries[Text(member.name)] = try mixed(member.value, level + 1) }
                return .dictionary(entries)
            case .null: return .value(.null)
            default:
                let types: [ValueType] = [
                    .int, .bool, .string, .uuid, .binary, .timestamp, .double, .decimal, .objectId,
                ]
                for type in types { if let value = scalar(value, type) { return .value(value) } }
                throw DocumentError("no property holds \(value)")
            }
        }

        /// A link of a Mixed value is a DBRef.
        private func link(_ members: [ExtendedJSON.Member]) throws(DocumentError) -> SyncValue? {
            guard members.count == 2, members[0].name == "$ref", members[1].name == "$id",
                case .string(let table) = members[0].value
            else { return nil }
            return .link(try reference(members[1].value, to: Text(table)))
        }

        /// Returns `nil` if the value can't be converted.
        private func scalar(_ value: ExtendedJSON, _ type: ValueType) -> SyncValue? {
            switch (type, value) {
            case (.int, .int32(let number)): .int(Int64(number))
            case (.int, .int64(let number)): .int(number)
            case (.bool, .bool(let value)): .bool(value)
            case (.string, .string(let text)): .string(Text(text))
            case (.uuid, .binary(let bytes, ExtendedJSON.uuidSubtype)) where bytes.count == UUIDBytes.byteCount:
                .uuid(UUIDBytes(bytes: bytes))
            case (.binary, .binary(let bytes, let subtype)) where subtype != ExtendedJSON.uuidSubtype: .binary(bytes)
            case (.timestamp, .date(let milliseconds)): .timestamp(Timestamp(milliseconds: milliseconds))
            case (.double, .double(let number)): .double(number)
            case (.double, .int32(let number)): .double(Double(number))
            case (.double, .int64(let number)): Double(exactly: number).map { .double($0) }
            case (.float, .double(let number)): .float(Float(number))
            case (.float, .int32(let number)): .float(Float(number))
            case (.float, .int64(let number)): Float(exactly: number).map { .float($0) }
            case (.decimal, .decimal(let number)): .decimal(number)
            case (.decimal, .int32(let number)): DecimalBits(String(number)).map { .decimal($0) }
            case (.decimal, .int64(let number)): DecimalBits(String(number)).map { .decimal($0) }
            case (.objectId, .objectId(let id)): .objectId(id)
            default: nil
            }
        }

        private func mismatch(_ value: ExtendedJSON, _ column: ColumnDefinition) -> DocumentError {
            let kind = column.collection == .single ? "" : "\(column.collection) of "
            return DocumentError(
                "\(value) does not fit the property '\(column.column.name)' of '\(column.column.table)', which is "
                    + "\(column.isNullable ? "optional " : "")\(kind)\(column.type)")
        }
    }

    extension Timestamp {
        init(milliseconds: Int64) {
            self.init(seconds: milliseconds / 1000, nanoseconds: Int32(milliseconds % 1000) * 1_000_000)
        }
    }

    struct DocumentError: Error {
        let message: String

        init(_ message: String) { self.message = message }
    }
#endif
