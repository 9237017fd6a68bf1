// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmStorage

    extension SchemaFile {
        /// Reads a file of JSON schemas, the classes of a database, or those of the `documents.realm` in a folder.
        package init(path: String) throws {
            let database = path + "/documents.realm"
            if FileManager.default.fileExists(atPath: database) {
                try self.init(database: database)
            } else if try FileObjects.isDatabase(path) {
                try self.init(database: path)
            } else {
                try self.init(json: try String(contentsOfFile: path, encoding: .utf8))
            }
        }

        /// Reads the schema of a store. No server can run on a folder.
        ///
        /// - Parameter partition: The partition as its `bind` names it, or a string. `nil` for a flexible app.
        package init(data: ServerData, app: String, partition: String?) throws {
            let catalog = try data.catalog()
            let place = try catalog.place(app: app, partition: partition)
            guard try catalog.holds(place) else { throw catalog.missing(place) }
            try catalog.lock(.documents)
            self.init(try catalog.open(place).schema)
        }

        private init(database path: String) throws {
            self.init(try AppSchema(of: try Database.open(path, readOnly: true).snapshot()))
        }

        /// The number of classes and of properties.
        package var size: (classes: Int, properties: Int) {
            (schema.tables.count, schema.columns.values.reduce(0) { $0 + $1.count })
        }
    }
#endif
