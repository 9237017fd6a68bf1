// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    extension SchemaFile {
        /// The text of a file that reads as the same schema.
        package var json: String {
            let classes = schema.tables.values.sorted { $0.name < $1.name }.map(classSchema)
            return (["version": .int(version), "classes": .array(classes)] as JSON).description
        }

        private func classSchema(_ table: TableDefinition) -> JSON {
            var members: [JSON.Member] = [
                JSON.Member("title", .string(table.name.string)), JSON.Member("bsonType", "object"),
            ]
            var properties: [JSON.Member] = []
            var required: [JSON] = []
            switch table.kind {
            case .embedded: members.append(JSON.Member("embedded", true))
            case .asymmetric(let key), .topLevel(let key):
                if case .asymmetric = table.kind { members.append(JSON.Member("asymmetric", true)) }
                properties.append(JSON.Member(key.name.string, ["bsonType": .string(SchemaFile.name(key.type))]))
                if !key.isNullable { required.append(.string(key.name.string)) }
            }
            var relationships: [JSON.Member] = []
            for column in (schema.columns[table.name] ?? [:]).values.sorted(by: { $0.column.name < $1.column.name }) {
                let name = column.column.name.string
                properties.append(JSON.Member(name, property(column)))
                if column.collection == .single, !column.isNullable { required.append(.string(name)) }
                if let relationship = relationship(column) { relationships.append(JSON.Member(name, relationship)) }
            }
            members.append(JSON.Member("required", .array(required)))
            members.append(JSON.Member("properties", .object(properties)))
            if !relationships.isEmpty { members.append(JSON.Member("relationships", .object(relationships))) }
            return .object(members)
        }

        private func property(_ column: ColumnDefinition) -> JSON {
            let element = element(column)
            switch column.collection {
            case .single: return element
            case .list: return ["bsonType": "array", "items": element]
            case .set: return ["bsonType": "array", "uniqueItems": true, "items": element]
            case .dictionary: return ["bsonType": "object", "additionalProperties": element]
            }
        }

        private func element(_ column: ColumnDefinition) -> JSON {
            guard column.type == .link, let target = column.target else {
                let name = JSON.string(SchemaFile.name(column.type))
                let isNullable = column.collection != .single && column.isNullable && column.type != .null
                return ["bsonType": isNullable ? .array([name, "null"]) : name]
            }
            guard let key = schema.primaryKey(of: target) else {
                return ["title": .string(target.string), "bsonType": "object"]
            }
            return ["bsonType": .string(SchemaFile.name(key.type))]
        }

        private func relationship(_ column: ColumnDefinition) -> JSON? {
            guard column.type == .link, let target = column.target, let key = schema.primaryKey(of: target) else {
                return nil
            }
            return [
                "ref": .string(target.string), "foreign_key": .string(key.name.string),
                "is_list": .bool(column.collection == .list || column.collection == .set),
            ]
        }

        private static func name(_ type: ValueType) -> String {
            switch type {
            case .int: "long"
            case .binary: "binData"
            case .timestamp: "date"
            case .null: "mixed"
            default: "\(type)"
            }
        }
    }
#endif
