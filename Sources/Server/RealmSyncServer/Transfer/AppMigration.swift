// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore

    /// Moves the objects of all partitions of an app into one app with flexible sync, and back (§5.8). Each object has
    /// its partition value in a property. Requires that no server uses the data.
    ///
    /// A crash leaves the app in its previous mode. Then the move can be repeated.
    package struct AppMigration {
        package struct Report: Hashable, Sendable {
            package var partitions = 0
            /// Excludes embedded objects.
            package var objects = 0
        }

        private let catalog: any StoreCatalog
        private let app: String

        /// - Throws: `ServerFailure` if a server uses the data, or the app was never used.
        package init(data: ServerData, app: String) throws { try self.init(data.catalog(), app: app) }

        init(_ catalog: any StoreCatalog, app: String) throws {
            (self.catalog, self.app) = (catalog, app)
            try catalog.lock(.stores)
            guard try catalog.mode(of: app) != nil else {
                throw ServerFailure(description: "\(catalog.title) has no app '\(app)'.")
            }
        }

        // MARK: To flexible sync

        /// - Parameter field: The property for the partition value, which classes get if they lack it.
        /// - Throws: `ServerFailure` if partitions contradict each other: then nothing is changed. `StoreError`,
        ///   `SystemError`.
        package func migrate(field: String) throws -> Report {
            try catalog.audited(.migrate, app) { try unite(field: field) }
        }

        private func unite(field: String) throws -> Report {
            guard try catalog.mode(of: app) == .partition else {
                throw ServerFailure(description: "The app '\(app)' has flexible sync already.")
            }
            let partitions = try catalog.partitions(of: app)
            let types = Set(partitions.compactMap(\.type))
            guard types.count <= 1 else {
                let names = types.map { "\($0)" }.sorted().joined(separator: " and ")
                throw ServerFailure(description: "The partition values have several types: \(names).")
            }
            let target = try catalog.openUnfinished(app)
            var united = UnitedPartitions(target, field: Text(field), types.first ?? .string)
            for name in partitions { united.noteDefinitions(of: try open(name)) }
            for name in partitions { try united.add(name, try open(name)) }
            try united.finish()
            try catalog.discardImport(into: place(nil))
            try catalog.adoptUnfinished(app, MovedApp(field: Text(field), isFlexible: true))
            return united.report
        }

        private func place(_ name: PartitionName?) -> DocumentPlace { DocumentPlace(app: ByteText(app), name: name) }

        private func open(_ name: PartitionName?) throws -> StoredPartition { try catalog.open(place(name)) }

        // MARK: To partitions

        /// Replaces the objects of all partitions by those of the flexible app. Its store remains, as
        /// `flexible.reverted`.
        ///
        /// - Throws: `ServerFailure` if the app wasn't moved to flexible sync; `StoreError`, `SystemError`.
        package func revert() throws -> Report { try catalog.audited(.revert, app) { try divide() } }

        private func divide() throws -> Report {
            guard try catalog.mode(of: app) == .flexible, let moved = try catalog.movedApp(app)
            else { throw ServerFailure(description: "The app '\(app)' was not moved to flexible sync.") }
            // A crash before the last step leaves the record of partitions with the folder of the flexible app.
            let source = try open(nil)
            let divided = try DividedObjects(source.history.state, field: moved.field)
            for name in Set(divided.objects.keys).union(try catalog.partitions(of: app)) {
                try catalog.discardImport(into: place(name))
                try divided.write(to: try open(name), name)
            }
            try catalog.retireFlexible(app, MovedApp(field: moved.field, isFlexible: false))
            return Report(
                partitions: divided.objects.count, objects: divided.objects.values.reduce(0) { $0 + $1.count })
        }

        // MARK: Objects

        /// The objects of several partitions in one store.
        private struct UnitedPartitions {
            private let target: StoredPartition
            private let field: Text
            private let type: ValueType
            /// The definitions of the field in any partition, by class.
            private var definitions: [Text: ColumnDefinition] = [:]
            private(set) var report = Report()
            private var conflicts: [String] = []
            private var conflictCount = 0

            private static let maxListed = 20

            init(_ target: StoredPartition, field: Text, _ type: ValueType) {
                (self.target, self.field, self.type) = (target, field, type)
            }

            /// Must be called with all partitions before the first is added.
            mutating func noteDefinitions(of source: StoredPartition) {
                for table in source.history.state.tables.keys where definitions[table] == nil {
                    definitions[table] = source.schema.property(field, of: table)
                }
            }

            mutating func add(_ name: PartitionName, _ source: StoredPartition) throws {
                let state = source.history.state
                report.partitions += 1
                try target.lock()
                do { try target.append(Changeset(try schema(of: state, name))) } catch let error as StateError {
                    throw ServerFailure(description: "Partition \(name.description) differs: \(error.message).")
                }
                let value = name.value?.syncValue ?? .null
                var writer = RowWriter(state, ChangesetParts(size: PartitionHistory.partSize))
                for object in try source.objects() {
                    guard try !target.holds(object) else {
                        note(object, name)
                        continue
                    }
                    writer.append(.createObject(object))
                    writer.add(try state.row(of: object) ?? [:], of: object)
                    if value != .null {
                        writer.append(.change(Place(object, field), .update(value, isDefault: false)))
                    }
                    report.objects += 1
                    try target.appendPart(writer.output.takeFull())
                }
                try target.appendPart(writer.output.changesets)
                try target.flush(compacts: false)
            }

            private mutating func note(_ object: ObjectReference, _ name: PartitionName) {
                conflictCount += 1
                guard conflicts.count < Self.maxListed else { return }
                conflicts.append("\(object.table) \(object.key) of \(name.description)")
            }

            /// - Throws: `ServerFailure` if a class has another property of the name.
            private func schema(of state: PartitionObjects, _ name: PartitionName) throws -> [Instruction] {
                var instructions = state.schemaInstructions
                for (table, content) in state.tables.sorted(by: { $0.key < $1.key }) {
                    guard content.primaryKey != nil else { continue }
                    if let known = definitions[table] {
                        let holdsValue = known.isNullable || name.type != nil
                        guard known.type == type, known.collection == .single, holdsValue else {
                            throw ServerFailure(
                                description: """
                                    The property '\(field)' of '\(table)' can't have the value of partition \
                                    \(name.description): name another field.
                                    """)
                        }
                    }
                    guard content.columns[field] == nil, content.primaryKey?.name != field else { continue }
                    let added = ColumnDefinition(ColumnReference(table, field), type, isNullable: true, .single)
                    instructions.append(.addColumn(definitions[table] ?? added))
                }
                return instructions
            }

            /// - Throws: `ServerFailure` if two partitions have objects with the same key.
            func finish() throws {
                guard conflictCount == 0 else {
                    let rest = conflictCount > conflicts.count ? ", and \(conflictCount - conflicts.count) more" : ""
                    throw ServerFailure(
                        description: """
                            Objects of several partitions have the same primary key. Erase or import them under \
                            another key first: \(conflicts.joined(separator: ", "))\(rest).
                            """)
                }
                try target.compact()
            }
        }

        /// The objects of a flexible app by the value of a property.
        private struct DividedObjects {
            private let state: PartitionObjects
            private let field: Text
            private(set) var objects: [PartitionName: [ObjectReference]] = [:]

            /// - Throws: `ServerFailure` if a value of the property isn't that of a partition.
            init(_ state: PartitionObjects, field: Text) throws {
                (self.state, self.field) = (state, field)
                for (name, table) in state.tables.sorted(by: { $0.key < $1.key }) {
                    guard case .topLevel = table.definition.kind else { continue }
                    for key in try state.keys(of: name) {
                        let row = try state.row(of: ObjectReference(name, key)) ?? [:]
                        var value = SyncValue.null
                        if let slot = table.columns[field]?.slot, case .value(let found)? = row[slot] { value = found }
                        guard let partition = PartitionName(value) else {
                            throw ServerFailure(description: "'\(field)' of \(name) \(key) isn't a partition value.")
                        }
                        objects[partition, default: []].append(ObjectReference(name, key))
                    }
                }
            }

            /// Writes only the properties that differ, so that changes which clients haven't uploaded remain. Objects
            /// of other partitions are erased.
            func write(to target: StoredPartition, _ name: PartitionName) throws {
                let wanted = (objects[name] ?? []).sorted(by: ObjectReference.precedes)
                let asymmetric = Set(state.tables.filter { $0.value.isAsymmetric }.keys)
                let schema = state.schemaInstructions.filter { $0.className.map(asymmetric.contains) != true }
                // The partition value of an object follows from its partition, which may never have had the property.
                try target.lock()
                let known = target.schema
                let lacking = Set(state.tables.keys.filter { known.property(field, of: $0) == nil })
                try target.append(Changeset(schema))
                let old = target.history.state
                var writer = RowWriter(state, ChangesetParts(size: PartitionHistory.partSize))
                let kept = Set(wanted)
                for object in try target.objects() where !kept.contains(object) {
                    writer.append(.eraseObject(object))
                    try target.appendPart(writer.output.takeFull())
                }
                // The targets of links exist before the links.
                for object in wanted where try !old.holds(object) {
                    writer.append(.createObject(object))
                    writer.add(try state.row(of: object) ?? [:], of: object) { $0.isPlain }
                    try target.appendPart(writer.output.takeFull())
                }
                for object in wanted {
                    if try old.holds(object) {
                        let omitted = lacking.contains(object.table) ? field : nil
                        try state.writeDifferences(of: object, from: old, except: omitted, to: &writer)
                    } else {
                        writer.add(try state.row(of: object) ?? [:], of: object) { !$0.isPlain }
                    }
                    try target.appendPart(writer.output.takeFull())
                }
                try target.appendPart(writer.output.changesets)
                try target.flush()
                target.documentChanges()
            }
        }
    }

    extension PartitionObjects {
        /// Appends the instructions that give an object of another state the contents that it has in this one.
        ///
        /// - Parameter omitted: A property that remains unchanged.
        fileprivate func writeDifferences(
            of object: ObjectReference, from other: PartitionObjects, except omitted: Text?,
            to writer: inout RowWriter<ChangesetParts>
        ) throws {
            guard let table = tables[object.table], let old = other.tables[object.table] else { return }
            let (row, oldRow) = (try self.row(of: object) ?? [:], try other.row(of: object) ?? [:])
            for (name, column) in table.columns.sorted(by: { $0.key < $1.key }) where name != omitted {
                let (content, oldContent) = (row[column.slot], old.columns[name].flatMap { oldRow[$0.slot] })
                guard content != oldContent else { continue }
                let (place, definition) = (Place(object, name), column.definition)
                let new = content ?? ObjectContent.initial(definition)
                switch oldContent {
                case .value?, nil: break
                case .list?, .set?, .dictionary?, .object?:
                    // A collection or object of the same kind would keep its contents.
                    let isSingle = definition.collection == .single
                    writer.append(
                        .change(
                            place, isSingle ? .update(.null, isDefault: false) : .clear(definition.collection)))
                    if isSingle, new == .value(.null) { continue }
                }
                writer.add(new, at: place, definition)
            }
        }
    }

    extension ObjectClass {
        fileprivate var isAsymmetric: Bool { if case .asymmetric = definition.kind { true } else { false } }
    }

    extension Instruction {
        /// The class of an instruction on the schema.
        fileprivate var className: Text? {
            switch self {
            case .addTable(let definition): definition.name
            case .addColumn(let definition): definition.column.table
            default: nil
            }
        }
    }
#endif
