// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmValues

    extension SchemaFile {
        /// The classes as Swift models for `import RealmSwift`.
        package var swiftModels: String {
            let tables = schema.tables.values.sorted { $0.name < $1.name }.map(description)
            return SwiftModels(SchemaDescription(tables: tables)).lines.joined(separator: "\n") + "\n"
        }

        private func description(_ table: TableDefinition) -> TableDescription {
            var properties: [PropertyDescription] = []
            let kind: TableKind
            switch table.kind {
            case .embedded: kind = .embedded
            case .topLevel(let key), .asymmetric(let key):
                kind = if case .topLevel = table.kind { .topLevel } else { .asymmetric }
                properties.append(
                    PropertyDescription(
                        name: key.name.string, type: SchemaFile.type(key.type), isOptional: key.isNullable,
                        isPrimaryKey: true))
            }
            let columns = (schema.columns[table.name] ?? [:]).values.sorted { $0.column.name < $1.column.name }
            properties += columns.map { column in
                PropertyDescription(
                    name: column.column.name.string, type: SchemaFile.type(column.type), isOptional: column.isNullable,
                    collection: column.collection.description, targetClass: column.target?.string)
            }
            return TableDescription(className: table.name.string, kind: kind, properties: properties)
        }
    }

    extension SchemaFile {
        /// The reader accepts only types that have columns.
        private static func type(_ type: ValueType) -> ColumnType { SyncNames.columnType(type) ?? .mixed }
    }

    extension CollectionKind {
        fileprivate var description: PropertyDescription.Collection? {
            switch self {
            case .single: nil
            case .list: .list
            case .set: .set
            case .dictionary: .dictionary
            }
        }
    }
#endif
