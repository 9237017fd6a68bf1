// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import Testing

/// Tables made and compared from declarations that aren't classes of Swift.
@Suite struct TableInstallerTests {
    private final class Property: DeclaredProperty {
        let name: String
        var columnName: String { name }
        let columnType: ColumnType
        let columnAttributes: ColumnAttributes
        let isPrimaryKey: Bool
        let isIndexed: Bool
        var isFullText: Bool { false }
        var isOptional: Bool { columnAttributes.contains(.nullable) }
        var objectClassName: String? { nil }
        var typeName: String { "\(columnType)" }

        init(
            _ name: String, _ type: ColumnType, _ attributes: ColumnAttributes = [], isPrimaryKey: Bool = false,
            isIndexed: Bool = false
        ) {
            self.name = name
            columnType = type
            columnAttributes = attributes
            self.isPrimaryKey = isPrimaryKey
            self.isIndexed = isIndexed
        }
    }

    private final class Class: DeclaredClass {
        let name = "A"
        var tableName: String { FileFormat.classPrefix + name }
        var kind: TableKind { .topLevel }
        let properties: [Property]
        var primaryKey: Property? { properties.first(where: \.isPrimaryKey) }

        init(_ properties: Property...) { self.properties = properties }
    }

    private func install(_ declared: Class, in transaction: WriteTransaction) throws {
        try TableInstaller([declared], isAdditive: false).installAdditions(in: transaction)
    }

    private func changes(_ declared: Class, _ source: any TableSource, isAdditive: Bool = false) throws -> [String] {
        try SchemaDifferences([declared], source, isAdditive: isAdditive).needingMigration.map(\.text)
    }

    @Test func installedTablesMatchTheirDeclaration() throws {
        let database = try RuntimeDatabase().host.database
        let declared = Class(
            Property("id", .int, isPrimaryKey: true), Property("name", .string, .nullable, isIndexed: true))
        let transaction = try database.beginWrite()
        #expect(try !SchemaDifferences([declared], transaction, isAdditive: false).isEmpty)
        try install(declared, in: transaction)
        #expect(try SchemaDifferences([declared], transaction, isAdditive: false).isEmpty)
        transaction.rollback()
    }

    @Test func changesAreNamed() throws {
        let transaction = try RuntimeDatabase().host.database.beginWrite()
        try install(Class(Property("id", .int), Property("name", .string)), in: transaction)
        let changed = Class(Property("id", .int, .nullable), Property("age", .int))
        #expect(
            try changes(changed, transaction) == [
                "Property 'A.id' has been made optional.", "Property 'A.age' has been added.",
                "Property 'A.name' has been removed.",
            ])
        #expect(
            try changes(changed, transaction, isAdditive: true) == ["Property 'A.id' has been made optional."])
        #expect(
            try changes(Class(Property("id", .string), Property("name", .string, isPrimaryKey: true)), transaction) == [
                "Property 'A.id' has been changed from 'int' to 'string'.",
                "Primary Key for class 'A' has been added.",
            ])
        transaction.rollback()
    }

    @Test func equalPrimaryKeysAreAnError() throws {
        let transaction = try RuntimeDatabase().host.database.beginWrite()
        try install(Class(Property("id", .int)), in: transaction)
        let table = try #require(try transaction.table(named: "class_A")?.key)
        for _ in 0..<2 { _ = try transaction.createObject(in: table) }
        let error = #expect(throws: DuplicatePrimaryKey.self) {
            try install(Class(Property("id", .int, isPrimaryKey: true)), in: transaction)
        }
        #expect(error?.className == "A" && error?.property == "id" && error?.value == .int(0))
        transaction.rollback()
    }

    @Test func removedTablesAreThoseThatNothingLinksTo() throws {
        let transaction = try RuntimeDatabase().host.database.beginWrite()
        let installer = TableInstaller([Class(Property("id", .int))], isAdditive: false)
        try installer.installTables(in: transaction)
        let target = try #require(try transaction.table(named: "class_A")?.key)
        let origin = try transaction.schema.addTable("class_B")
        _ = try transaction.schema.addColumn("link", .link, .nullable, target: target, to: origin)
        try installer.removeTables(of: ["A"], from: transaction)
        #expect(try transaction.table(named: "class_A") != nil)
        try installer.removeClasses(from: transaction)
        #expect(try transaction.tableKeys().isEmpty)
        transaction.rollback()
    }
}
