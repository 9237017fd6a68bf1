// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import RealmTools

/// A file with a property of every type, in a temporary folder.
struct Kennel {
    let folder: TemporaryFolder
    let path: String

    /// With a key, the file is encrypted.
    init(measurements: Int = 0, key: String? = nil) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/kennel.realm"
        let cipher = try key.flatMap { try EncryptionKey.cipher(hexadecimal: $0) }
        try Database.open(path, cipher: cipher).write { write in
            try Kennel.fill(write)
            if measurements > 0 { try Kennel.measure(measurements, write) }
        }
    }

    private static func fill(_ write: WriteTransaction) throws {
        let place = try write.schema.addTable("class_Place", kind: .embedded)
        _ = try write.schema.addColumn("street", .string, to: place)
        _ = try write.schema.addColumn("number", .int, .nullable, to: place)
        let person = try write.schema.addTable("class_Person")
        let personName = try write.schema.addColumn("name", .string, to: person)
        let dog = try write.schema.addTable("class_Dog")
        let id = try write.schema.addColumn("id", .int, to: dog)
        let name = try write.schema.addColumn("name", .string, .nullable, to: dog)
        let age = try write.schema.addColumn("age", .int, .indexed, to: dog)
        let single: [(String, ColumnType)] = [
            ("weight", .double), ("score", .float), ("good", .bool), ("born", .timestamp), ("photo", .binary),
            ("price", .decimal), ("tag", .uuid), ("chip", .objectId),
        ]
        for (name, type) in single { _ = try write.schema.addColumn(name, type, .nullable, to: dog) }
        _ = try write.schema.addColumn("anything", .mixed, .nullable, to: dog)
        let owner = try write.schema.addColumn("owner", .link, .nullable, target: person, to: dog)
        let friends = try write.schema.addColumn("friends", .link, .list, target: dog, to: dog)
        _ = try write.schema.addColumn("home", .link, .nullable, target: place, to: dog)
        _ = try write.schema.addColumn("toys", .string, .list, to: dog)
        _ = try write.schema.addColumn("marks", .int, .set, to: dog)
        _ = try write.schema.addColumn("notes", .string, .dictionary, to: dog)
        try write.schema.setPrimaryKey(id, of: dog)
        let people = try ["Ann", "Bob"].map { try write.createObject(in: person, [personName: .string($0)]) }
        let dogs = try ["Rex", "Ada", "Fido"].enumerated().map { index, text in
            try write.createObject(
                in: dog, [id: .int(Int64(index + 1)), name: .string(text), age: .int(Int64(3 * index + 1))])
        }
        try write.set(.link(people[0]), owner, of: dogs[0], in: dog)
        try write.set(.link(people[0]), owner, of: dogs[1], in: dog)
        try write.list(at: CollectionPath(friends, of: dogs[0], in: dog)).insert(
            contentsOf: [.link(dogs[1]), .link(dogs[2])], at: 0)
    }

    private static func measure(_ count: Int, _ write: WriteTransaction) throws {
        let table = try write.schema.addTable("class_Measurement")
        let number = try write.schema.addColumn("number", .int, to: table)
        let value = try write.schema.addColumn("value", .double, to: table)
        let place = try write.schema.addColumn("place", .string, to: table)
        for index in 0..<count {
            _ = try write.createObject(
                in: table,
                [
                    number: .int(Int64(index)), value: .double(Double((index &* 7919) % 10_007) / 100),
                    place: .string("place \(index % 50)"),
                ])
        }
    }

    func dog(_ property: String, id: Int64 = 1) throws -> StoredValue? {
        let snapshot = try Database.open(path, readOnly: true, joining: .existing).snapshot()
        guard let table = try snapshot.table(named: "class_Dog"), let column = table.column(named: property),
            let position = try table.find(primaryKey: .int(id))
        else { return nil }
        return try table.value(column, at: position)
    }
}
