// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage
import RealmTools

/// Groups of equal values of a property, with the number of objects or an aggregate of another property.
struct Grouping {
    private static let maxGroups = 500

    static func write(_ fields: RequestFields, in file: FollowedFile, _ json: inout JSONText) throws {
        let table = try fields.table
        let aggregate: Aggregate?
        if let operation = fields.optionalText("operation").flatMap({ AggregateOperation(rawValue: $0) }) {
            aggregate = try Aggregate(operation, of: try fields.text("of"), on: table, in: file.snapshot)
        } else {
            aggregate = nil
        }
        let grouped = try GroupedAggregate(
            by: PropertyPath(try fields.text("by")), aggregate, on: table, in: file.snapshot)
        let statement = try ClassView.statement(fields, table, in: file)
        let groups: [GroupedAggregate.Group]
        if fields["linked"] != nil || statement.map({ !$0.steps.isEmpty }) == true {
            let keys = try ClassView(fields, in: file).allKeys(in: file)
            groups = try grouped.groups(over: keys, in: file.snapshot)
        } else {
            groups = try grouped.groups(of: statement?.query, in: file.snapshot)
        }
        let ordered = groups.sorted { StoredValue.compare($0.value, $1.value) > 0 }
        json.member("count", groups.count)
        json.member("groups", ordered.prefix(maxGroups)) { json, group in
            json.array([group.key, group.value]) { $0.string($1.isNull ? nil : ValueText.plain($1)) }
        }
    }
}
